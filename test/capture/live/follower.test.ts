import { type ChildProcess, spawn } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import { Follower, type FollowerHost } from '../../../src/capture/live/follower.ts';
import { readProcess } from '../../../src/capture/proc/process-facts.ts';
import type { ProcessRecord } from '../../../src/model/index.ts';

const children: ChildProcess[] = [];
const followers: Follower[] = [];
afterEach(() => {
  for (const follower of followers.splice(0)) follower.close();
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A process that has said it is up. */
async function start(command: string, ...args: string[]): Promise<ChildProcess & { pid: number }> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  children.push(child);
  await new Promise((done) => child.stdout?.once('data', done));
  return child as ChildProcess & { pid: number };
}

const NODE_UP = ['-e', 'console.log(1); process.stdin.resume()'];

function follow() {
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
    expectedIn: () => [],
    emit: (record) => records.push(record),
    gone: (pid) => gone.push(pid),
    nowNs: () => process.hrtime.bigint(),
    log: { debug: () => {}, warn: () => {} },
  };
  const follower = new Follower(host);
  followers.push(follower);
  return { follower, records, attached, gone };
}

const keyOf = (pid: number) => {
  const facts = readProcess(pid);
  if (!facts.ok) throw new Error(facts.detail);
  return { pid, startNs: facts.value.startNs };
};

const until = async (probe: () => boolean): Promise<void> => {
  for (let i = 0; i < 400 && !probe(); i++) await new Promise((done) => setTimeout(done, 10));
  expect(probe()).toBe(true);
};

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
