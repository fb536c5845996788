// What bad input gets: one line with the remedy, its own exit code, and a target that never notices.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { runAsUser, whyNotAsUser } from '../kit/as-user.ts';
import { startCopilotClient, startNodeClient } from '../kit/clients.ts';
import { live, scratch } from '../kit/live.ts';
import { KitProcess } from '../kit/process.ts';
import { startService } from '../kit/service.ts';
import { runTracer, Tracer, type TracerRun } from '../kit/tracer.ts';

/** Larger than any pid that Linux gives out (PID_MAX_LIMIT is 2^22). */
const NO_SUCH_PID = 2 ** 22 + 1;
const KTHREADD_PID = 2;

/** The error line, the line with the remedy, and nothing else; nothing on stdout, no stack. */
const expectError = (run: TracerRun, exitCode: number, text: RegExp): void => {
  const lines = run.stderr.split('\n').filter((line) => line !== '');
  expect({ exitCode: run.exitCode, stderr: run.stderr }).toEqual({ exitCode, stderr: expect.stringMatching(text) });
  expect(lines.filter((line) => /^\s+at /.test(line))).toEqual([]);
  const remedy = lines.at(-1)?.trim() ?? '';
  expect(remedy).toMatch(/[A-Z][a-z]+ .*\./);
  expect(run.stdout).toBe('');
};

live('a pid that does not exist (E_TARGET_NO_SUCH_PID)', async () => {
  expectError(await runTracer('attach', '--pid', String(NO_SUCH_PID)), EXIT.noSuchPid, /no process/);
});

/** Where the whole pid namespace is visible, 2 is the parent of all kernel threads. */
live('a kernel thread (E_TARGET_KERNEL_THREAD)', async () => {
  const run = await runTracer('attach', '--pid', String(KTHREADD_PID));
  expect([EXIT.kernelThread, EXIT.noSuchPid]).toContain(run.exitCode);
  expectError(run, run.exitCode ?? -1, /kernel thread|no process/);
});

live('a process without any TLS library (E_TARGET_NO_TLS), which goes on undisturbed', async () => {
  await using sleeper = new KitProcess('sleep', ['30']);
  expectError(await runTracer('attach', '--pid', String(sleeper.pid)), EXIT.noTls, /no TLS library/);
  expect(sleeper.child.exitCode).toBe(null);
});

live('a second tracer on the same process (E_TARGET_TRACED), and the first goes on', async () => {
  await using service = await startService();
  await using client = await startNodeClient('node-https', service, { workload: 'one' });
  await using first = await Tracer.attach(client.pid);
  expectError(await runTracer('attach', '--pid', String(client.pid)), EXIT.alreadyTraced, /already traced/);
  client.go();
  expect((await first.end()).calls).toHaveLength(1);
});

live('a program that does not exist (E_TARGET_COMMAND)', async () => {
  expectError(await runTracer('run', '--', '/nonexistent/program'), EXIT.commandFailed, /cannot start/);
});

live('a recording path that cannot be written (E_FILE_UNWRITABLE)', async () => {
  await using service = await startService();
  await using client = await startNodeClient('node-https', service, { workload: 'one' });
  const run = await runTracer('attach', '--pid', String(client.pid), '--record', '/nonexistent/session.trc');
  expectError(run, EXIT.unwritable, /cannot write/);
  client.go();
  expect((await client.results()).map((result) => result.status)).toEqual([200]);
});

live('a full disk while recording (E_FILE_FULL): the capture ends and says so, the target goes on', async () => {
  await using service = await startService();
  await using client = await startCopilotClient(service, ['--no-socket']);
  await using tracer = await Tracer.attach(client.pid, '--user', 'root', '--record', '/dev/full');
  client.go();
  const run = await tracer.end();
  expect([run.exitCode, run.stderr]).toEqual([EXIT.diskFull, expect.stringMatching(/writing \/dev\/full failed/)]);
  expect((await client.results()).filter((result) => result.status !== 200)).toEqual([]);
});

live('no pid, an unknown option, a ring that is no power of two (E_CLI_USAGE)', async () => {
  for (const args of [
    ['attach', '--all'],
    ['attach', '--pid', '1', '--name', 'code'],
    ['attach', '--pid', '1', '--no-such-option'],
    ['attach', '--pid', '1', '--ring-size', '65537'],
  ]) {
    expect((await runTracer(...args)).exitCode).toBe(EXIT.use);
  }
});

live('without root (E_PLACE_RIGHTS): what is missing and the command to use', async ({ skip }) => {
  const reason = whyNotAsUser();
  if (reason !== null) return skip(reason);
  await using service = await startService();
  await using client = await startNodeClient('node-https', service, { workload: 'one' });
  const run = await runAsUser({}, 'attach', '--pid', String(client.pid));
  expectError(run, EXIT.rights, /CAP_/);
  expect(run.stderr).toContain('sudo tracer attach');
});

live('a recording that is not there (E_RECORDING_UNREADABLE)', async () => {
  expectError(await runTracer('replay', '/nonexistent.trc'), EXIT.unreadable, /cannot read/);
});

live('a file that is no recording (E_RECORDING_CORRUPT)', async () => {
  using dir = scratch();
  writeFileSync(dir.path('noise'), 'this is no recording, but long enough to look at it');
  const run = await runTracer('replay', dir.path('noise'), '--json');
  expect([run.exitCode, run.stderr]).toEqual([EXIT.corrupt, expect.stringMatching(/noise is not a recording/)]);
});

live('a recording of a newer format (E_RECORDING_NEWER)', async () => {
  const file = fileURLToPath(new URL('../vectors/recording/from-the-future.rec', import.meta.url));
  const run = await runTracer('replay', file, '--json');
  expect([run.exitCode, run.stderr]).toEqual([EXIT.newerFormat, expect.stringMatching(/recording format/)]);
});
