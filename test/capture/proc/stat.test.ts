import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseStat, parseStatus, processOfThread, readStat, readStatus } from '../../../src/capture/proc/stat.ts';

const after = 'S 17 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 98765 1000 50';

describe('/proc/PID/stat and status', () => {
  it('reads a name with spaces and parentheses', () => {
    expect(parseStat(`42 (a) b (c)) ${after}`)).toEqual({
      comm: 'a) b (c)',
      parentPid: 17,
      startTicks: 98765n,
      hasEnded: false,
    });
  });

  it.each([
    ['Z', true],
    ['X', true],
    ['R', false],
    ['T', false],
  ])('state %s: has ended is %s', (state, hasEnded) => {
    expect(parseStat(`42 (x) ${state}${after.slice(1)}`)?.hasEnded).toBe(hasEnded);
  });

  it.each(['', '42', '42 (x) S 1', `42 x ${after}`, ')('])('refuses %j', (text) => {
    expect(parseStat(text)).toBeUndefined();
  });

  it('reads the effective ids and the pids of nested namespaces', () => {
    const text =
      'Name:\tx\nTgid:\t4025\nUid:\t1000\t1001\t1000\t1000\nGid:\t5\t6\t5\t5\nNSpid:\t4026\t7\t1\nVmSize:\t  10 kB\n';
    expect(parseStatus(text)).toEqual({
      threadGroup: 4025,
      uid: 1001,
      gid: 6,
      nsPids: [4026, 7, 1],
      hasMemory: true,
    });
    const kernelThread = 'Tgid:\t2\nUid:\t0\t0\t0\t0\nGid:\t0\t0\t0\t0\n';
    expect(parseStatus(kernelThread)).toMatchObject({ hasMemory: false, nsPids: [] });
    expect(parseStatus('Name:\tx\n')).toBeUndefined();
  });

  it('tells of which process a thread is', () => {
    // Node always has threads beside the main one.
    const threads = readdirSync('/proc/self/task').map(Number);
    expect(threads.length).toBeGreaterThan(1);
    expect([...new Set(threads.map(processOfThread))]).toEqual([process.pid]);
    expect(processOfThread(2 ** 22 + 1)).toBe(2 ** 22 + 1);
  });

  it('reads this process', () => {
    expect(readStat(process.pid)).toMatchObject({ ok: true, value: { parentPid: process.ppid } });
    expect(readStatus(process.pid)).toMatchObject({ ok: true, value: { uid: process.geteuid?.(), hasMemory: true } });
  });
});
