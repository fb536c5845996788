import { expect, test } from 'vitest';
import { progressLine } from '../../src/cli/progress.ts';

const MIB = 1024 * 1024;

function shown(
  isTTY: boolean,
  steps: readonly (readonly [atMs: number, readBytes: number])[],
  totalBytes: number | null = 100 * MIB,
) {
  let nowMs = 0;
  const written: string[] = [];
  const line = progressLine({ isTTY, write: (text) => written.push(text) }, () => nowMs);
  for (const [atMs, readBytes] of steps) {
    nowMs = atMs;
    line.show({ readBytes, totalBytes });
  }
  line.clear();
  return written;
}

test('a terminal sees how far it is, a few times per second, and nothing stays behind', () => {
  const steps = [
    [100, MIB],
    [600, 10 * MIB],
    [650, 11 * MIB],
    [900, 55 * MIB],
  ] as const;
  expect(shown(true, steps)).toEqual([
    '\r\u001b[Kreading: 10% of 100.0 MiB',
    '\r\u001b[Kreading: 55% of 100.0 MiB',
    '\r\u001b[K',
  ]);
});

test('a pipe has no size: only what was read is told', () => {
  expect(shown(true, [[600, 10 * MIB]], null)[0]).toBe('\r\u001b[Kreading: 10.0 MiB');
});

test('nothing is printed for what ends soon, nor where there is no terminal', () => {
  expect(shown(true, [[400, MIB]])).toEqual([]);
  expect(shown(false, [[900, MIB]])).toEqual([]);
});
