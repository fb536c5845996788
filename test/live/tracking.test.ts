// The table of traced processes, which the kernel side and user space both write.
import { expect, onTestFinished } from 'vitest';
import { Kernel } from '../../src/capture/live/kernel.ts';
import { live } from '../kit/live.ts';

/** Nobody is asked whether they live: only the table is looked at. */
const PID = 2 ** 22;

function loadKernel(): Kernel {
  const some = { followProcesses: false, uprobeMulti: false, attachCookie: false, peers: false, facts: false };
  const kernel = Kernel.load({ ringBytes: 64 * 1024, ...some });
  onTestFinished(() => kernel.close());
  return kernel;
}

live('a process is known by the start time under which it was tracked first', () => {
  const kernel = loadKernel();
  expect(kernel.trackedStart(PID)).toBe(null);
  expect(kernel.track({ pid: PID, startNs: 17n }, true)).toBe(17n);
  expect(kernel.track({ pid: PID, startNs: 18n }, true)).toBe(17n);
  expect(kernel.trackedStart(PID)).toBe(17n);
});

live('a process that was given up is tracked afresh', () => {
  const kernel = loadKernel();
  kernel.track({ pid: PID, startNs: 17n }, true);
  kernel.untrackAll();
  expect(kernel.track({ pid: PID, startNs: 18n }, true)).toBe(18n);
});
