import { describe, expect, it } from 'vitest';
import { readSuspendedNs, START_TOLERANCE_NS, startNsOf, suspendedNsOf } from '../../../src/capture/proc/start-time.ts';

describe('the start of a process', () => {
  it('is its ticks of 10 ms less the time suspended', () => {
    expect(startNsOf(12_345n, 0n)).toBe(123_450_000_000n);
    expect(startNsOf(12_345n, 3_450_000_000n)).toBe(120_000_000_000n);
    expect(startNsOf(1n, 5_000_000_000n)).toBe(0n);
  });

  it('takes the time suspended from the two clocks, and calls what is below their resolution nothing', () => {
    expect(suspendedNsOf('100.25 12.00\n', 100_240_000_001n)).toBe(0n);
    expect(suspendedNsOf('100.25 12.00\n', 60_250_000_000n)).toBe(40_000_000_000n);
  });

  it('can be read here, and is not negative', () => {
    const suspended = readSuspendedNs();
    expect(suspended.ok && suspended.value >= 0n).toBe(true);
    expect(START_TOLERANCE_NS).toBe(20_000_000n);
  });
});
