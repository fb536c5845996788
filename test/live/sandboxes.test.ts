// Programs as they come wrapped: flatpak's way with bubblewrap, a container of podman, a snap's loop mount, an
// AppImage's FUSE mount. The pid is the host's,
// the program's own beside it.
import { chmodSync, chownSync, copyFileSync, cpSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { expect } from 'vitest';
import { AS_DAEMON, DAEMON_UID, SUDO_BY_DAEMON, whyNotAsUser } from '../kit/as-user.ts';
import { debianFile } from '../kit/binaries/programs.ts';
import type { Client } from '../kit/clients.ts';
import { nodeClientArgs, startProgram } from '../kit/clients.ts';
import { expectByteExact } from '../kit/compare.ts';
import { compileClient } from '../kit/compile.ts';
import { decodeRecording } from '../kit/decode.ts';
import { live, scratch, traceClient } from '../kit/live.ts';
import { bwrapArgs, makeRootfs, Podman, packSquashfs, requireLoopMounts, UserMount } from '../kit/sandboxes.ts';
import { kitPath, type Service, startService } from '../kit/service.ts';
import { runTracer, Tracer } from '../kit/tracer.ts';

interface Listed {
  readonly pid: number;
  readonly innerPid?: number;
  readonly exe: string;
  readonly hookable: boolean;
}

/** The process that runs this program, as `tracer ps` shows it. */
async function listed(exe: string): Promise<Listed | undefined> {
  const rows = JSON.parse((await runTracer('ps', '--json')).stdout) as Listed[];
  return rows.find((row) => row.exe === exe);
}

const clientArgs = (service: Service): string[] => nodeClientArgs('node-https', service, { workload: 'bodies' });

/** Traces the client and all below it through its three requests and compares every byte. */
async function expectTraced(client: Client, service: Service, dir: ReturnType<typeof scratch>): Promise<Set<number>> {
  const { run, exchanges } = await traceClient(client, dir.path('session.trc'));
  expectByteExact(exchanges, await service.exchanges(3));
  expect(run.summary?.lost).toEqual({ out: 0, in: 0, incompleteCalls: 0 });
  return new Set(run.calls.map((call) => call.pid));
}

live(
  'bubblewrap as flatpak calls it: user, pid and mount namespaces of its own, the program in /app',
  async (context) => {
    debianFile(context, '/usr/bin/bwrap', 'bubblewrap');
    await using service = await startService();
    using dir = scratch();
    mkdirSync(dir.path('app'));
    copyFileSync(process.execPath, dir.path('app/editor'));
    const seen = [dirname(kitPath('clients')), service.ca].flatMap((path) => ['--ro-bind', path, path]);
    const inner = [...seen, '/app/editor', ...clientArgs(service)];
    await using client = await startProgram('bwrap', bwrapArgs(dir.path('app'), inner));
    const row = await listed('/app/editor');
    // Pid 1 in there is bubblewrap's own.
    expect(row).toMatchObject({ innerPid: 2, hookable: true });
    expect(await expectTraced(client, service, dir)).toEqual(new Set([row?.pid]));
  },
);

live('a container of podman with a libssl of its own', { timeout: 120_000 }, async (context) => {
  using dir = scratch();
  const podman = new Podman(context, dir.path(''));
  await using service = await startService();
  const program = await compileClient('threads');
  const name = basename(program);
  const rootfs = makeRootfs(dir.path('rootfs'), program, [service.ca]);
  podman.import(rootfs, dir.path('image.tar'), 'editor:latest');
  const ca = `/${basename(service.ca)}`;
  podman.create(context, 'editor', 'editor:latest', [`/${name}`, String(service.port), ca, '2', '3']);
  await using client = await startProgram('podman', podman.startArgs('editor'));
  const row = await listed(`/${name}`);
  expect(row).toMatchObject({ innerPid: 1, hookable: true });
  await using tracer = await Tracer.attach(row?.pid ?? -1, '--record', dir.path('session.trc'));
  client.go();
  await client.process.json('done');
  const run = await tracer.end();
  expectByteExact(await decodeRecording(dir.path('session.trc')), await service.exchanges(6));
  expect(new Set(run.calls.map((call) => call.pid))).toEqual(new Set([row?.pid]));
  await client.process.exited;
  podman.call('rm', '--force', 'editor');
});

live('a program from a loop-mounted squashfs in a mount namespace of its own, as snaps are', async (context) => {
  requireLoopMounts(context);
  await using service = await startService();
  using dir = scratch();
  for (const name of ['tree', 'snap']) mkdirSync(dir.path(name));
  copyFileSync(process.execPath, dir.path('tree/editor'));
  packSquashfs(context, dir.path('tree'), dir.path('editor.snap'));
  const program = dir.path('snap/editor');
  const script = `mount -t squashfs -o loop,ro ${dir.path('editor.snap')} ${dir.path('snap')} && exec "$0" "$@"`;
  await using client = await startProgram('unshare', ['-m', 'sh', '-c', script, program, ...clientArgs(service)]);
  expect(await listed(program)).toMatchObject({ pid: client.pid, hookable: true });
  await expectTraced(client, service, dir);
});

live('an AppImage’s FUSE mount, into which root may not look: the owner’s sudo traces it', async (context) => {
  const why = whyNotAsUser();
  if (why !== null) context.skip(why);
  await using service = await startService();
  using dir = scratch();
  for (const name of ['tree', 'mount']) mkdirSync(dir.path(name));
  chownSync(dir.path('mount'), DAEMON_UID, DAEMON_UID);
  copyFileSync(process.execPath, dir.path('tree/editor'));
  copyFileSync(service.ca, dir.path('tree/ca.pem'));
  cpSync(dirname(kitPath('clients')), dir.path('tree/kit'), { recursive: true });
  packSquashfs(context, dir.path('tree'), dir.path('editor.AppImage'));
  chmodSync(dir.path('editor.AppImage'), 0o644);
  await using _mount = await UserMount.make(context, dir.path('editor.AppImage'), dir.path('mount'), DAEMON_UID);
  expect(() => readFileSync(dir.path('mount/editor'))).toThrow('EACCES');

  const program = dir.path('mount/editor');
  const script = dir.path('mount/kit/clients/node-https.mjs');
  const words = [
    '--port',
    String(service.port),
    '--ca',
    dir.path('mount/ca.pem'),
    '--workload',
    'bodies',
    '--rounds',
    '1',
  ];
  await using client = await startProgram('setpriv', [...AS_DAEMON, program, script, ...words]);
  expect(await listed(program)).toMatchObject({ pid: client.pid, hookable: true });
  await using tracer = await Tracer.attachAs(SUDO_BY_DAEMON, client.pid, '--record', dir.path('session.trc'));
  client.go();
  await client.process.json('done');
  await tracer.end();
  expectByteExact(await decodeRecording(dir.path('session.trc')), await service.exchanges(3));
});
