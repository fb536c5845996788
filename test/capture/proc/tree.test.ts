import { describe, expect, it } from 'vitest';
import { listPids, readChildren, treeOf } from '../../../src/capture/proc/tree.ts';
import { startSleeper } from '../../kit/running.ts';

describe('the process tree', () => {
  it('lists parents before children, all below one pid and nothing else', () => {
    const children = new Map([
      [1, [2, 9]],
      [2, [3, 4]],
      [4, [5]],
    ]);
    expect(treeOf(2, children)).toEqual([2, 3, 4, 5]);
  });

  it('ends on a cycle, which a snapshot of reused pids can hold', () => {
    expect(
      treeOf(
        1,
        new Map([
          [1, [2]],
          [2, [1]],
        ]),
      ),
    ).toEqual([1, 2]);
  });

  it('finds a real child', async () => {
    using child = await startSleeper();
    expect(readChildren().get(process.pid)).toContain(child.pid);
    expect(treeOf(process.pid)).toContain(child.pid);
    expect(listPids()).toContain(child.pid);
  });
});
