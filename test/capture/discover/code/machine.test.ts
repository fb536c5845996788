import { describe, expect, it } from 'vitest';
import { inRanges } from '../../../../src/capture/discover/code/machine.ts';

describe('ranges of addresses', () => {
  it('hold their first address and not the one behind the last', () => {
    const ranges = [
      { low: 10, high: 12 },
      { low: 20, high: 21 },
    ];
    expect([9, 10, 11, 12, 20, 21].map((a) => inRanges(ranges, a))).toEqual([false, true, true, false, true, false]);
  });
});
