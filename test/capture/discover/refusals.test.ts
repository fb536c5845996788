import { expect, it } from 'vitest';
import { Refusals } from '../../../src/capture/discover/refusals.ts';
import type { MappedFile } from '../../../src/capture/proc/maps.ts';

const file = (inode: number): MappedFile => ({
  dev: '00:27',
  inode,
  path: '/x',
  isDeleted: false,
  isMemfd: false,
  range: '1-2',
  startAddress: 1n,
  fileOffset: 0,
});

it('lets a refused file be asked for again after 2 seconds, then after twice as long, at most after 5 minutes', () => {
  let nowMs = 0;
  const refusals = new Refusals(() => nowMs);
  const waits = Array.from({ length: 9 }, () => {
    refusals.add(file(1), 'denied');
    const fromMs = nowMs;
    while (refusals.standing(file(1)) !== undefined) nowMs += 1_000;
    return (nowMs - fromMs) / 1_000;
  });
  expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300]);
});

it('says why, of that very file, and begins anew once it could be read', () => {
  const refusals = new Refusals(() => 0);
  expect(refusals.standing(file(1))).toBeUndefined();
  refusals.add(file(1), 'user 7 cannot read it');
  expect([refusals.standing(file(1)), refusals.standing(file(2))]).toEqual(['user 7 cannot read it', undefined]);
  refusals.delete(file(1));
  expect(refusals.standing(file(1))).toBeUndefined();
});

it('forgets the oldest of very many', () => {
  const refusals = new Refusals(() => 0);
  for (let inode = 0; inode <= 1_024; inode++) refusals.add(file(inode), 'denied');
  expect([refusals.standing(file(0)), refusals.standing(file(1))]).toEqual([undefined, 'denied']);
});
