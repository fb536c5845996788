import { expect, test } from 'vitest';
import { containerFact, libbpfFact, memlockFact, placeFacts, ringFact } from '../../../src/capture/live/place-facts.ts';

const HOST_PID = 'pid:[4026531836]';
const HOST_USER = 'user:[4026531837]';
const MIB = 1024 * 1024;

test('a container with pids of its own cannot trace; the host can', () => {
  expect(containerFact(HOST_PID, HOST_USER).ok).toBe(true);
  expect(containerFact('pid:[4026532001]', HOST_USER)).toMatchObject({
    ok: false,
    remedy: expect.stringContaining('--pid=host'),
  });
  expect(containerFact(HOST_PID, 'user:[4026532002]')).toMatchObject({ ok: false, seen: 'own user namespace' });
});

test('locked memory has no limit to mind since 5.11', () => {
  const limits = 'Max locked memory         65536                65536                bytes     \n';
  expect(memlockFact('6.1.0', limits).ok).toBe(true);
  expect(memlockFact('5.10.0', limits)).toMatchObject({ ok: false, seen: '65536 bytes' });
  expect(memlockFact('5.10.0', limits.replace('65536', 'unlimited')).ok).toBe(true);
});

test('the ring needs room, in the machine and in the cgroup', () => {
  expect(ringFact(1024 * MIB, Number.POSITIVE_INFINITY)).toMatchObject({
    ok: true,
    seen: '16 MiB by default, 1024 MiB of memory are free',
  });
  expect(ringFact(1024 * MIB, 32 * MIB)).toMatchObject({ ok: false, remedy: expect.stringContaining('--ring-size') });
});

test('libbpf is the one that is mapped', () => {
  expect(libbpfFact('7f-80 r-xp 0 fe:01 1 /usr/lib/x86_64-linux-gnu/libbpf.so.1.1.2\n')).toMatchObject({
    ok: true,
    seen: '1.1.2',
  });
  expect(libbpfFact('').ok).toBe(false);
});

test('every fact that is not fine says what to do, in one line', () => {
  for (const fact of placeFacts()) {
    expect(fact.seen).not.toContain('\n');
    expect(fact.remedy === '').toBe(fact.ok);
    if (!fact.ok) expect(fact.remedy).toMatch(/^[A-Z]\w+ .*\.$/);
  }
});
