import { type ChildProcess, spawn } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import type { TlsImage } from '../../../src/capture/discover/process.ts';
import { Follower, type FollowerHost, type FollowerOptions } from '../../../src/capture/live/follower.ts';
import { readProcess } from '../../../src/capture/proc/process-facts.ts';
import type { ProcessRecord } from '../../../src/model/index.ts';
import { HANG_MS } from '../../kit/hang.ts';

const children: ChildProcess[] = [];
const followers: Follower[] = [];
afterEach(() => {
  for (const follower of followers.splice(0)) follower.close();
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A process that has said it is up. */
async function start(command: string, ...args: string[]): Promise<ChildProcess & { pid: number; first: string }> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  children.push(child);
  const first = String(await new Promise((done) => child.stdout?.once('data', done)));
  return Object.assign(child as ChildProcess & { pid: number }, { first });
}

const NODE_UP = ['-e', 'console.log(1); process.stdin.resume()'];

function follow(options: FollowerOptions = {}, expected: readonly TlsImage[] = []) {
  const warned: string[] = [];
  const records: ProcessRecord[] = [];
  const attached: [string, number][] = [];
  const gone: number[] = [];
  const seen = new Set<string>();
  const host: FollowerHost = {
    attach(image, pid) {
      const key = `${image.path} ${pid}`;
      const isNew = !seen.has(key);
      seen.add(key);
      if (isNew) attached.push([image.path, pid]);
      return { failure: null, isNew };
    },
    ownedBy: () => [],
    expectedIn: () => expected,
    emit: (record) => records.push(record),
    gone: (pid) => gone.push(pid),
    nowNs: () => process.hrtime.bigint(),
    asOfNs: () => process.hrtime.bigint(),
    log: { debug: () => {}, warn: (text) => warned.push(text) },
  };
  const follower = new Follower(host, options);
  followers.push(follower);
  return { follower, records, attached, gone, warned };
}

const keyOf = (pid: number) => {
  const facts = readProcess(pid);
  if (!facts.ok) throw new Error(facts.detail);
  return { pid, startNs: facts.value.startNs };
};

const until = (probe: () => boolean): Promise<void> =>
  expect.poll(probe, { timeout: HANG_MS, interval: 10 }).toBe(true);

test('a target is told with its libraries, which have no delay: they were there', async () => {
  const child = await start(process.execPath, ...NODE_UP);
  const { follower, records, attached } = follow();
  expect(follower.add(keyOf(child.pid), process.pid).ok).toBe(true);
  expect(records.map((record) => [record.pid, record.role])).toEqual([[child.pid, 'node']]);
  expect(records[0]?.tls.map((fact) => [fact.hooked, fact.hookedAfterMs])).toEqual([[true, undefined]]);
  expect(attached.map(([, pid]) => pid)).toEqual([child.pid]);
});

test('a child is looked at soon after its fork, and says how long hooking took', async () => {
  const child = await start('/usr/bin/python3', '-c', 'import ssl, sys; print(1, flush=True); sys.stdin.read()');
  const { follower, records } = follow();
  follower.settle();
  follower.forked(keyOf(child.pid), process.pid, process.hrtime.bigint());
  await until(() => records.some((record) => record.tls.length > 0));
  const [fact] = records.at(-1)?.tls ?? [];
  expect(fact?.hookedAfterMs).toBeGreaterThan(0);
  expect(fact?.mayHaveMissed).toBe(false);
});

test('a process that is through before it can be looked at is known by the name of its program', () => {
  const { follower, records } = follow();
  follower.settle();
  const key = { pid: 4_194_305, startNs: 5n };
  follower.forked(key, process.pid, 5n);
  follower.execed(key.pid, 6n, '/usr/bin/curl');
  expect(records.map(({ comm, exe, role, tls }) => ({ comm, exe, role, tls }))).toEqual([
    { comm: 'curl', exe: '/usr/bin/curl', role: 'curl', tls: [] },
  ]);
});

test('a process whose end nobody told is noticed', async () => {
  const child = await start(process.execPath, ...NODE_UP);
  const { follower, gone } = follow();
  follower.add(keyOf(child.pid), process.pid);
  child.kill('SIGKILL');
  await until(() => gone.includes(child.pid));
});

/** A thread that never has an answer: what it is asked about stays put off. */
const BUSY: FollowerOptions = {
  startThread: () => ({ postMessage: () => {}, on: () => {}, unref: () => {}, terminate: () => Promise.resolve(0) }),
};

const missedBy = (records: readonly ProcessRecord[]) =>
  records.flatMap(({ tls }) => tls.filter((fact) => fact.mayHaveMissed).map(({ file, hooked }) => [file, hooked]));

test('a process that ends while its program is still being looked into may have been missed; the warning comes once', async () => {
  const [one, two] = [await start(process.execPath, ...NODE_UP), await start(process.execPath, ...NODE_UP)];
  const { follower, records, warned } = follow(BUSY);
  follower.settle();
  for (const { pid } of [one, two]) follower.add(keyOf(pid), process.pid);
  expect(missedBy(records)).toEqual([]);
  for (const { pid } of [one, two]) follower.ending(pid, () => false);
  expect(missedBy(records)).toEqual([
    [process.execPath, false],
    [process.execPath, false],
  ]);
  expect(warned).toEqual([
    `${process.execPath} ran and ended before it had been looked into: its traffic, if any, is not shown`,
  ]);
});

test('nothing was missed of a program whose file was hooked before it ran, nor of one that is not followed', async () => {
  const child = await start(process.execPath, ...NODE_UP);
  const { follower, records, warned } = follow(BUSY);
  follower.settle();
  follower.add(keyOf(child.pid), process.pid);
  follower.ending(child.pid, (file) => file === process.execPath);
  follower.ending(4_194_305, () => false);
  expect([missedBy(records), warned]).toEqual([[], []]);
});

test('nor of one that was looked into in time', async () => {
  const child = await start(process.execPath, ...NODE_UP);
  const { follower, records, warned } = follow();
  follower.add(keyOf(child.pid), process.pid);
  follower.ending(child.pid, () => false);
  expect([missedBy(records), warned]).toEqual([[], []]);
});

test('a program whose header names the system’s TLS library is judged by when that was hooked', async () => {
  const child = await start(process.execPath, ...NODE_UP);
  const libssl: TlsImage = {
    ...{ library: 'openssl', linkage: 'shared', hooks: [], confidence: 'certain', reason: '', evidence: [] },
    ...{ file: { dev: 'fe:01', inode: 1 }, path: '/usr/lib/libssl.so.3', attachPath: '/usr/lib/libssl.so.3' },
  };
  const { follower, records, attached, warned } = follow(BUSY, [libssl]);
  follower.settle();
  follower.add(keyOf(child.pid), process.pid);
  follower.execed(child.pid, process.hrtime.bigint(), process.execPath);
  follower.ending(child.pid, () => false);
  expect(attached).toEqual([['/usr/lib/libssl.so.3', child.pid]]);
  expect([missedBy(records), warned]).toEqual([[], []]);
});

test('an extension host whose editor ends is told to be stale', async () => {
  const host = [process.execPath, '-e', '"setInterval(() => {}, 1000)"', '--', '--type=extensionHost'].join(' ');
  const editor = await start('/bin/sh', '-c', `${host} > /dev/null & echo $!; read line`);
  const pid = Number(editor.first);
  const { follower, records } = follow();
  try {
    // The shell tells the pid when it has forked, and that is not yet the program.
    await until(() => readlinkSync(`/proc/${pid}/exe`) === process.execPath && readProcess(pid).ok);
    follower.add(keyOf(pid), editor.pid);
    const told = () => records.map(({ role, stale }) => [role, stale]);
    expect(told()).toEqual([['extension-host', undefined]]);
    editor.stdin?.write('end\n');
    await until(() => records.length > 1);
    expect(told()[1]).toEqual(['extension-host', true]);
  } finally {
    process.kill(pid, 'SIGKILL');
  }
});
