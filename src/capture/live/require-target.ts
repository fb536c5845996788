// Which processes can be targets at all, before anything is loaded for them.

import { TracerError } from '../../errors.ts';
import { readProcess } from '../proc/process-facts.ts';

/** Name of a process for messages. */
export const commOf = (pid: number): string => {
  const facts = readProcess(pid);
  return facts.ok ? facts.value.comm : '?';
};

/**
 * Throws unless `pid` is a user process that lives. Whoever asks for it has seen it, or has been told about it and looked: when it is not there,
 * it has ended since.
 */
export function requireTarget(pid: number): void {
  if (pid === process.pid)
    throw new TracerError('E_CLI_USAGE', { what: `process ${pid} is the tracer itself`, command: 'attach' });
  const facts = readProcess(pid);
  if (!facts.ok && facts.why === 'gone') throw new TracerError('E_TARGET_EXITED', { pid });
  if (!facts.ok)
    throw new TracerError('E_PLACE_RIGHTS', {
      missing: `the right to look into process ${pid} (${facts.detail})`,
      command: 'attach',
    });
  if (facts.value.hasEnded) throw new TracerError('E_TARGET_EXITED', { pid });
  if (facts.value.isKernelThread) throw new TracerError('E_TARGET_KERNEL_THREAD', { pid, comm: facts.value.comm });
}
