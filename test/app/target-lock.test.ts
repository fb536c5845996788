import { expect, test } from 'vitest';
import { lockTarget } from '../../src/app/target-lock.ts';

/** Above the kernel's largest pid (2^22): no tracer on this machine holds it, nor does another run of this test. */
const NO_PID = 2 ** 22 + 2 * process.pid;

test('a second tracer on the same process is refused with E_TARGET_TRACED', async () => {
  const lock = await lockTarget(NO_PID);
  await expect(lockTarget(NO_PID)).rejects.toMatchObject({ code: 'E_TARGET_TRACED', exitCode: 15 });
  lock.release();
});

test('a released process can be traced again', async () => {
  (await lockTarget(NO_PID + 1)).release();
  await expect(lockTarget(NO_PID + 1)).resolves.toBeDefined();
});
