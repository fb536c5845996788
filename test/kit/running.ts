// Processes of the tests that are looked at through /proc.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Its pid, once its program is in place. `spawn` comes when the kernel has given up the old program: for a moment the new one
 * has neither arguments nor mapped files, which are there when the arguments are (load_elf_binary).
 */
export async function runningPid(child: ChildProcess): Promise<number> {
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  while (readFileSync(`/proc/${pid}/cmdline`).length === 0) await pause(1);
  return pid;
}

/** A process that does nothing; ends with the test that disposes of it. */
export async function startSleeper(command = 'sleep'): Promise<{ readonly pid: number } & Disposable> {
  const child = spawn(command, ['60'], { stdio: 'ignore' });
  const pid = await runningPid(child);
  return { pid, [Symbol.dispose]: () => void child.kill('SIGKILL') };
}
