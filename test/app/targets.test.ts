import { expect, test } from 'vitest';
import { chooseTargets, type Selection } from '../../src/app/targets.ts';
import { EXIT, TracerError } from '../../src/errors.ts';
import { startSleeper } from '../kit/running.ts';

const NOTHING: Selection = { pids: [], all: false, isAllConfirmed: false, withChildren: true };

async function errorOf(selection: Selection): Promise<TracerError> {
  const error = await chooseTargets(selection, null).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof TracerError)) throw new Error(`expected a TracerError, not ${String(error)}`);
  return error;
}

test('pids are taken as they are', async () => {
  expect(await chooseTargets({ ...NOTHING, pids: [7, 8] }, null)).toEqual([7, 8]);
});

test('a pid that is given twice is one target, not a second tracer on the first', async () => {
  expect(await chooseTargets({ ...NOTHING, pids: [7, 8, 7] }, null)).toEqual([7, 8]);
});

test('--all needs its confirmation, and then means the tops of all trees', async () => {
  expect((await errorOf({ ...NOTHING, all: true })).exitCode).toBe(EXIT.use);
  const all = await chooseTargets({ ...NOTHING, all: true, isAllConfirmed: true }, null);
  expect(all.length).toBeGreaterThan(0);
  expect(all).not.toContain(process.pid);
});

test('a program file finds the process that runs it', async () => {
  using sleeper = await startSleeper('/bin/sleep');
  const selection = { ...NOTHING, exe: '/bin/sleep', withChildren: false };
  expect(await chooseTargets(selection, null)).toContain(sleeper.pid);
});

test('what fits nothing is said as it was asked for', async () => {
  const error = await errorOf({ ...NOTHING, name: 'no-such-*' });
  expect([error.exitCode, error.message]).toEqual([EXIT.noMatch, 'no running process matches --name no-such-*']);
});

test('without a target, and nobody to ask, clients are listed or said to be absent', async () => {
  expect([EXIT.choose, EXIT.noClient]).toContain((await errorOf(NOTHING)).exitCode);
});
