import { spawn, spawnSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { requireTarget } from '../../../src/capture/live/require-target.ts';
import { readStat } from '../../../src/capture/proc/stat.ts';
import { readChildren } from '../../../src/capture/proc/tree.ts';
import { HANG_MS } from '../../kit/hang.ts';

test('a process that has ended since it was asked for has exited; that is not “no such process”', () => {
  const { pid } = spawnSync('/bin/true');
  expect(() => requireTarget(pid)).toThrow(expect.objectContaining({ code: 'E_TARGET_EXITED', exitCode: 11 }));
});

test('the tracer itself is no target, a process that lives is one', () => {
  expect(() => requireTarget(process.pid)).toThrow(expect.objectContaining({ code: 'E_CLI_USAGE' }));
  expect(() => requireTarget(process.ppid)).not.toThrow();
});

/** A child that has ended, of a parent that never asks how. */
async function zombieOf(parentPid: number): Promise<number> {
  for (const deadlineMs = Date.now() + HANG_MS; Date.now() < deadlineMs; await setTimeout(5)) {
    const [child] = readChildren().get(parentPid) ?? [];
    const stat = child === undefined ? undefined : readStat(child);
    if (child !== undefined && stat?.ok && stat.value.hasEnded) return child;
  }
  throw new Error('no zombie appeared');
}

test('a zombie has exited: it is not taken for a thread of the kernel', async () => {
  const parent = spawn('/bin/sh', ['-c', ': & exec sleep 60'], { stdio: 'ignore' });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const zombie = await zombieOf(parent.pid ?? 0);
  expect(() => requireTarget(zombie)).toThrow(expect.objectContaining({ code: 'E_TARGET_EXITED' }));
});
