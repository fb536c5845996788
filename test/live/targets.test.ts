// Saying what to trace without a pid, and the lists that help with it.
import { copyFileSync, readdirSync } from 'node:fs';
import { expect } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { nodeClientArgs, startNodeClient, startProgram } from '../kit/clients.ts';
import { live, scratch } from '../kit/live.ts';
import { type Service, startService } from '../kit/service.ts';
import { runTracer, Tracer } from '../kit/tracer.ts';

/** A Node client whose program has another name: an editor, to all appearances. */
async function startAs(name: string, service: Service, dir: ReturnType<typeof scratch>) {
  const program = dir.path(name);
  copyFileSync(process.execPath, program);
  return { program, client: await startProgram(program, nodeClientArgs('node-https', service, { workload: 'one' })) };
}

async function attached(...args: readonly string[]): Promise<Tracer> {
  const tracer = Tracer.start('attach', '--json', ...args);
  await tracer.process.errorLine('attached');
  return tracer;
}

live('--name finds a process by its program’s name, --exe by its file', async () => {
  await using service = await startService();
  using dir = scratch();
  const { program, client } = await startAs('tracer-test-editor', service, dir);
  await using _ = client;
  await using byName = await attached('--name', 'tracer-test-e*r');
  client.go();
  expect((await byName.end()).calls.map((call) => [call.pid, call.status])).toEqual([[client.pid, 200]]);

  await using again = await startProgram(program, nodeClientArgs('node-https', service, { workload: 'one' }));
  await using byExe = await attached('--exe', program);
  again.go();
  expect((await byExe.end()).calls.map((call) => [call.pid, call.status])).toEqual([[again.pid, 200]]);
});

live('the number of a thread, as htop shows it, stands for its process', async () => {
  await using service = await startService();
  await using client = await startNodeClient('node-https', service, { workload: 'one' });
  const threads = readdirSync(`/proc/${client.pid}/task`).map(Number);
  await using tracer = await Tracer.attach(Math.max(...threads));
  client.go();
  const run = await tracer.end();
  expect(run.calls.map((call) => [call.pid, call.status])).toEqual([[client.pid, 200]]);
  expect(run.stderr).toContain(`is a thread of process ${client.pid}`);
});

live('a name or a file that fits nothing (E_TARGET_NO_MATCH)', async () => {
  const run = await runTracer('attach', '--name', 'no-such-program-*');
  expect([run.exitCode, run.stderr]).toEqual([EXIT.noMatch, expect.stringContaining('--name no-such-program-*')]);
  expect((await runTracer('attach', '--exe', '/nonexistent/editor')).exitCode).toBe(EXIT.noMatch);
});

live('without a target the running clients are offered, and listed where nobody can be asked', async () => {
  await using service = await startService();
  using dir = scratch();
  const { client } = await startAs('codium', service, dir);
  await using _ = client;
  const run = await runTracer('attach');
  expect(run.exitCode).toBe(EXIT.choose);
  expect(run.stderr).toContain(`VSCodium (--pid ${client.pid})`);
});

live('--all --yes-all traces what was not named', async () => {
  await using service = await startService();
  using dir = scratch();
  const { client } = await startAs('tracer-test-any', service, dir);
  await using _ = client;
  await using tracer = await attached('--all', '--yes-all');
  client.go();
  const line = await tracer.call('/kit/bytes');
  expect(JSON.parse(line).status).toBe(200);
  const run = await tracer.interrupt();
  expect(run.calls.map((call) => call.pid)).toContain(client.pid);
});

live('ps lists a client with role, library, evidence and product; without control characters', async () => {
  await using service = await startService();
  using dir = scratch();
  const { client } = await startAs('code', service, dir);
  await using _ = client;
  const json = await runTracer('ps', '--json');
  const rows = JSON.parse(json.stdout) as { pid: number }[];
  expect(rows.find((row) => row.pid === client.pid)).toMatchObject({
    pid: client.pid,
    parentPid: process.pid,
    role: 'main',
    product: 'VS Code',
    user: 'root',
    hookable: true,
    tls: [{ hooked: true, library: expect.stringMatching(/^openssl/), reason: expect.stringContaining('SSL_read') }],
    notes: [],
  });
  const text = (await runTracer('ps')).stdout;
  expect(text).toMatch(new RegExp(`^ *${client.pid} +root +main · code \\(VS Code\\)$`, 'm'));
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
});

live('doctor names each thing once, and whether a running editor can be traced', async () => {
  await using service = await startService();
  using dir = scratch();
  const { client } = await startAs('code-insiders', service, dir);
  await using _ = client;
  await using tracer = await Tracer.attach(client.pid);
  const run = await runTracer('doctor', '--json');
  const lines = JSON.parse(run.stdout) as { name: string; state: string; seen: string; remedy?: string }[];
  const names = lines.map((line) => line.name);
  expect(names).toEqual(
    expect.arrayContaining([
      ...['kernel', 'rights', 'lockdown', 'type information', 'uprobes', 'uprobe-multi links', 'per-process probes'],
      ...['container', 'locked memory', 'ring buffer budget', 'libbpf', 'clang', 'other uprobes'],
    ]),
  );
  expect(lines.find((line) => line.name === 'VS Code Insiders')).toEqual({
    name: 'VS Code Insiders',
    state: 'ok',
    seen: `pid ${client.pid}, 1 process: 1 can be traced`,
  });
  expect(lines.find((line) => line.name === 'other uprobes')?.seen).toContain(`process ${tracer.pid}: `);
});
