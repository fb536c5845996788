import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSpoolSlot } from '../../../src/sinks/nats/spool-dir.ts';

let base = '';
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'spool-dir-'));
});
afterEach(() => rmSync(base, { recursive: true }));

test('every tracer has a slot of its own, a free one is used again', async () => {
  const [a, b] = [await openSpoolSlot(base, 't'), await openSpoolSlot(base, 't')];
  expect([a.dir, b.dir]).toEqual([join(base, '0'), join(base, '1')]);
  expect(statSync(a.dir).mode & 0o777).toBe(0o700);
  a.release();
  const c = await openSpoolSlot(base, 't');
  expect(c.dir).toBe(a.dir);
  b.release();
  c.release();
});

test('what a tracer left behind that is gone is taken over, in order, before what is new', async () => {
  for (const [slot, name] of [
    ['0', '000000000900.seg'],
    ['3', '000000000005.seg'],
    ['3', '000000000007.seg'],
  ] as const) {
    mkdirSync(join(base, slot), { recursive: true, mode: 0o700 });
    writeFileSync(join(base, slot, name), name);
  }
  const slot = await openSpoolSlot(base, 't');
  expect(readdirSync(slot.dir).sort()).toEqual(['000000000898.seg', '000000000899.seg', '000000000900.seg']);
  expect(existsSync(join(base, '3'))).toBe(false);
  slot.release();
});

test('a directory that others can look into, or a link, is refused', async () => {
  const open = join(base, 'open');
  mkdirSync(open);
  chmodSync(open, 0o755);
  symlinkSync(tmpdir(), join(base, 'link'));
  for (const dir of [open, join(base, 'link')]) {
    await expect(openSpoolSlot(dir, 't')).rejects.toMatchObject({ code: 'E_NATS_SPOOL' });
  }
});
