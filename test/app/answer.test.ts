import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { writeAnswer } from '../../src/app/answer.ts';
import { scratch } from '../kit/recording.ts';

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

test('an answer is written piece by piece, no faster than it is taken', async () => {
  const outputFile = scratch('out.txt');
  let made = 0;
  function* pieces(): Generator<string> {
    for (; made < 300; made += 1) yield 'x'.repeat(10_000);
  }
  await writeAnswer({ command: 'show', outputFile, log }, pieces());
  expect(readFileSync(outputFile, 'utf8')).toHaveLength(3_000_000);
});

test('a file that cannot be written is an error before anything is asked of the answer', async () => {
  const settings = { command: 'show', outputFile: '/nowhere/out.txt', log };
  await expect(writeAnswer(settings, ['x'])).rejects.toThrow('cannot write /nowhere/out.txt: no such directory');
});

test('a file that takes no more is an error', async () => {
  const settings = { command: 'show', outputFile: '/dev/full', log };
  await expect(writeAnswer(settings, ['x'])).rejects.toThrow('writing /dev/full failed: ENOSPC');
});
