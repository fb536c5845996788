// Targets whose files have no name that leads to them from here: other namespaces, deleted, replaced and nameless programs.
import { copyFileSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { expect } from 'vitest';
import type { ProcessEvent } from '../../src/model/index.ts';
import { type Client, nodeClientArgs, startProgram } from '../kit/clients.ts';
import { expectByteExact } from '../kit/compare.ts';
import { live, scratch, traceClient } from '../kit/live.ts';
import { type Service, startService } from '../kit/service.ts';
import { runTracer } from '../kit/tracer.ts';

const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(' ');
const clientArgs = (service: Service): string[] => nodeClientArgs('node-https', service, { workload: 'bodies' });

/** Traces the client through its three requests and compares every byte. */
async function expectTraced(client: Client, service: Service, dir: ReturnType<typeof scratch>, ...more: string[]) {
  const { run, exchanges } = await traceClient(client, dir.path('session.trc'), ...more);
  expectByteExact(exchanges, await service.exchanges(3));
  return run;
}

/** In mount and pid namespaces of its own, from a file system that only it has. */
function startUnshared(service: Service): Promise<Client> {
  const inner = [
    'mount -t tmpfs -o size=300m private /mnt',
    `cp ${process.execPath} /mnt/node`,
    `exec /mnt/node ${quoted(clientArgs(service))}`,
  ].join(' && ');
  return startProgram('unshare', ['-mpf', '--mount-proc', 'sh', '-c', inner]);
}

live('a target in mount and pid namespaces of its own, from a file that only it can reach', async () => {
  await using service = await startService();
  using dir = scratch();
  await using client = await startUnshared(service);
  const listed = JSON.parse((await runTracer('ps', '--json')).stdout) as {
    exe: string;
    pid: number;
    innerPid?: number;
  }[];
  const row = listed.find(({ exe }) => exe === '/mnt/node');
  expect(row).toMatchObject({ innerPid: 1, hookable: true });
  const run = await expectTraced(client, service, dir);
  expect(new Set(run.calls.map((call) => call.pid))).toEqual(new Set([row?.pid]));
});

live('a target in an overlay of its own root, through the system’s libssl', async () => {
  await using service = await startService();
  using dir = scratch();
  for (const name of ['space', 'root']) mkdirSync(dir.path(name));
  const [space, root] = [dir.path('space'), dir.path('root')];
  const script = [
    'import json, socket, ssl, sys',
    'print(json.dumps({"ready": True}), flush=True); sys.stdin.readline()',
    'context = ssl._create_unverified_context()',
    `conn = context.wrap_socket(socket.create_connection(("127.0.0.1", ${service.port})))`,
    'conn.sendall(b"GET /kit/bytes?n=5000 HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nConnection: close\\r\\n\\r\\n")',
    'while conn.recv(65536): pass',
    'print(json.dumps({"done": True}), flush=True)',
  ].join('\n');
  const inner = [
    `mount -t tmpfs space ${space} && mkdir ${space}/up ${space}/work`,
    `mount -t overlay -o lowerdir=/,upperdir=${space}/up,workdir=${space}/work overlay ${root}`,
    `exec chroot ${root} /usr/bin/python3 -c '${script}'`,
  ].join(' && ');
  await using client = await startProgram('unshare', ['-mpf', 'sh', '-c', inner]);
  const { exchanges } = await traceClient(client, dir.path('session.trc'));
  expectByteExact(exchanges, await service.exchanges(1));
});

live('a program that was deleted while it runs', async () => {
  await using service = await startService();
  using dir = scratch();
  const program = dir.path('editor');
  copyFileSync(process.execPath, program);
  await using client = await startProgram(program, clientArgs(service));
  rmSync(program);
  await expectTraced(client, service, dir);
});

live('a program that an update has replaced: the running one is traced, and said to be old', async () => {
  await using service = await startService();
  using dir = scratch();
  const program = dir.path('editor');
  copyFileSync(process.execPath, program);
  await using client = await startProgram(program, clientArgs(service));
  copyFileSync(process.execPath, dir.path('update'));
  renameSync(dir.path('update'), program);
  const listed = JSON.parse((await runTracer('ps', '--json')).stdout) as { pid: number; notes: string[] }[];
  expect(listed.find(({ pid }) => pid === client.pid)?.notes).toEqual([
    'its program file was replaced or deleted since it started',
  ]);
  await expectTraced(client, service, dir);
});

live('a program that was never in a file system (memfd_create)', async () => {
  await using service = await startService();
  using dir = scratch();
  const script = [
    'import os, sys',
    'fd = os.memfd_create("editor", 0)',
    `program = open("${process.execPath}", "rb")`,
    'while os.sendfile(fd, program.fileno(), None, 1 << 24): pass',
    'os.execv(f"/proc/self/fd/{fd}", ["editor", *sys.argv[1:]])',
  ].join('\n');
  await using client = await startProgram('/usr/bin/python3', ['-c', script, ...clientArgs(service)]);
  const run = await expectTraced(client, service, dir);
  const told = run.events.filter((event): event is ProcessEvent => event.type === 'process');
  expect(told[0]?.exe).toMatch(/^\/memfd:editor/);
});

live('a libssl that was deleted while a program has it loaded', async () => {
  await using service = await startService();
  using dir = scratch();
  const script = [
    'import ctypes, os, sys',
    `library = "${dir.path('libssl.so.3')}"`,
    'ctypes.CDLL(library, ctypes.RTLD_GLOBAL); os.unlink(library)',
    // The loader takes a library that is loaded under the same name; so ssl finds this one.
    'import json, socket, ssl',
    'print(json.dumps({"ready": True}), flush=True); sys.stdin.readline()',
    'context = ssl._create_unverified_context()',
    `conn = context.wrap_socket(socket.create_connection(("127.0.0.1", ${service.port})))`,
    'conn.sendall(b"GET /kit/bytes?n=5000 HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nConnection: close\\r\\n\\r\\n")',
    'while conn.recv(65536): pass',
    'print(json.dumps({"done": True}), flush=True)',
  ].join('\n');
  copyFileSync(systemLibssl(), dir.path('libssl.so.3'));
  await using client = await startProgram('/usr/bin/python3', ['-c', script]);
  const { run, exchanges } = await traceClient(client, dir.path('session.trc'));
  expectByteExact(exchanges, await service.exchanges(1));
  const [found] = run.events.filter((event): event is ProcessEvent => event.type === 'process');
  expect(found?.tls.map(({ file, hooked }) => [file, hooked])).toEqual([[dir.path('libssl.so.3'), true]]);
});

const systemLibssl = (): string => `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/libssl.so.3`;
