import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { requireTarget } from '../../../src/capture/live/require-target.ts';

test('a process that has ended since it was asked for exited while attaching; that is not “no such process”', () => {
  const { pid } = spawnSync('/bin/true');
  expect(() => requireTarget(pid)).toThrow(expect.objectContaining({ code: 'E_TARGET_EXITED', exitCode: 11 }));
});

test('the tracer itself is no target, a process that lives is one', () => {
  expect(() => requireTarget(process.pid)).toThrow(expect.objectContaining({ code: 'E_CLI_USAGE' }));
  expect(() => requireTarget(process.ppid)).not.toThrow();
});
