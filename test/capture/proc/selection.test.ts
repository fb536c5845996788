import { spawn } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { readProcess } from '../../../src/capture/proc/process-facts.ts';
import { globToRegExp, isMeant, selectProcesses, topmost } from '../../../src/capture/proc/selection.ts';
import { HANG_MS } from '../../kit/hang.ts';
import { runningPid } from '../../kit/running.ts';

const children: ReturnType<typeof spawn>[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill();
});

async function start(command: string, ...args: string[]): Promise<number> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  children.push(child);
  return await runningPid(child);
}

describe('patterns as in a shell', () => {
  it.each([
    ['code*', 'code-insiders', true],
    ['code', 'code-insiders', false],
    ['c?de', 'code', true],
    ['c[ao]de', 'cade', true],
    ['c[!ao]de', 'cade', false],
    ['a.b', 'axb', false],
    ['(x)+', '(x)+', true],
    ['[', '[', true],
    ['*', '', true],
  ])('%s and %s: %s', (glob, text, matches) => {
    expect(globToRegExp(glob).test(text)).toBe(matches);
  });

  it('many stars take no time', () => {
    const startMs = performance.now();
    expect(globToRegExp(`${'*'.repeat(200)}x`).test('y'.repeat(200))).toBe(false);
    expect(performance.now() - startMs).toBeLessThan(HANG_MS);
  });
});

describe('selecting processes', () => {
  it('by comm, program or role; by program file', async () => {
    const pid = await start(process.execPath, '-e', 'setTimeout(() => {}, 20000)');
    const facts = readProcess(pid);
    if (!facts.ok) throw new Error(facts.detail);
    expect(isMeant(facts.value, { name: 'node' })).toBe(true);
    expect(isMeant(facts.value, { name: 'extension-host' })).toBe(false);
    expect(isMeant(facts.value, { exe: process.execPath })).toBe(true);
    expect(isMeant(facts.value, { exe: '/bin/sh' })).toBe(false);
    expect(isMeant(facts.value, { exe: '/nonexistent' })).toBe(false);
    expect(selectProcesses({ exe: process.execPath }, false)).toContain(pid);
  });

  it('never selects the tracer itself', () => {
    expect(selectProcesses({}, false)).not.toContain(process.pid);
  });

  it('of a tree only the topmost', () => {
    const parents = new Map([
      [10, 1],
      [11, 10],
      [12, 11],
      [20, 1],
      [1, 0],
    ]);
    expect(topmost([10, 12, 20], parents)).toEqual([10, 20]);
    expect(topmost([1, 10], parents)).toEqual([1]);
  });
});
