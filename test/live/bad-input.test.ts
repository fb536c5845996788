// What bad input gets: one line with the remedy, its own exit code, and a target that never notices.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { runAsUser, whyNotAsUser } from '../kit/as-user.ts';
import { startCopilotClient, startNodeClient } from '../kit/clients.ts';
import { live, scratch } from '../kit/live.ts';
import { KitProcess } from '../kit/process.ts';
import { startService } from '../kit/service.ts';
import { runTracer, TRACER, Tracer, type TracerRun } from '../kit/tracer.ts';

/** Larger than any pid that Linux gives out (PID_MAX_LIMIT is 2^22). */
const NO_SUCH_PID = 2 ** 22 + 1;
const KTHREADD_PID = 2;

/** Messages as one JSON object per line, the last of them the error with its code and remedy; nothing on stdout, no stack. */
const expectError = (run: TracerRun, exitCode: number, text: RegExp): void => {
  expect({ exitCode: run.exitCode, stderr: run.stderr }).toEqual({ exitCode, stderr: expect.stringMatching(text) });
  const messages = run.stderr.split('\n').filter((line) => line !== '');
  const [error, ...before] = messages.map((line) => JSON.parse(line)).reverse();
  expect(error).toMatchObject({ level: 60, name: 'tracer', exitCode, code: expect.stringMatching(/^E_[A-Z_]+$/) });
  expect(error.hint).toMatch(/^[A-Z][a-z]+ .*\.$/);
  expect(before.filter(({ level, msg }) => level >= 60 || /^\s+at /m.test(msg))).toEqual([]);
  expect(run.stdout).toBe('');
};

live('a command line that cannot be (E_CLI_USAGE) is said like every other error', async () => {
  expectError(await runTracer('attach', '--colour'), EXIT.use, /unknown option '--colour'/);
  expectError(await runTracer('trace'), EXIT.use, /unknown command 'trace'/);
  expectError(await runTracer('attach', '--pid', '1', '--rotate', '1M'), EXIT.use, /--rotate needs --record/);
});

live('a command that waits for a FIFO is ended by a second signal', async () => {
  using dir = scratch();
  const fifo = dir.path('session.trc');
  execFileSync('mkfifo', [fifo]);
  const child = spawn(TRACER, ['replay', fifo], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  // Until the program listens, the first one ends it, too.
  while (child.exitCode === null && child.signalCode === null) {
    await sleep(500);
    child.kill('SIGINT');
  }
  expect(await ended).toEqual([null, 'SIGINT']);
});

live('a recording that exists is not written over (E_FILE_EXISTS), unless that is asked for', async () => {
  using dir = scratch();
  const file = dir.path('session.trc');
  writeFileSync(file, 'the only copy');
  const record = (...more: string[]) => runTracer('run', '--json', '--record', file, ...more, '--', '/bin/true');
  expectError(await record(), EXIT.exists, /session\.trc exists already/);
  expect(readFileSync(file, 'utf8')).toBe('the only copy');
  expect((await record('--overwrite', '--user', 'root')).exitCode).toBe(EXIT.ok);
  expect(readFileSync(file).subarray(1, 4).toString()).toBe('TRC');
});

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

live('a program that does not exist (E_TARGET_NO_PROGRAM), or is none (E_TARGET_NOT_EXECUTABLE)', async () => {
  const path = '/nonexistent/program';
  expectError(await runTracer('run', '--', path), EXIT.noProgram, /cannot start .*program: there is no such file/);
  expectError(await runTracer('run', '--', 'no-such-program'), EXIT.noProgram, /not found in PATH/);
  expectError(await runTracer('run', '--', '/etc/passwd'), EXIT.notExecutable, /passwd: it is not executable/);
  expectError(await runTracer('run', '--', '/tmp'), EXIT.notExecutable, /tmp: it is a directory/);
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
