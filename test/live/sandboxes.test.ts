// Programs as they come wrapped: flatpak's way with bubblewrap, a container of podman, a snap's loop mount, an AppImage's FUSE
// mount. The pid that is shown is the host's, the program's own beside it.
import { chmodSync, chownSync, copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, type TestContext } from 'vitest';
import { AS_DAEMON, DAEMON_UID, SUDO_BY_DAEMON, whyNotAsUser } from '../kit/as-user.ts';
import { debianFile } from '../kit/binaries/programs.ts';
import { buildStaticClient } from '../kit/binaries/static-openssl.ts';
import { type Client, startProgram } from '../kit/clients.ts';
import { expectByteExact } from '../kit/compare.ts';
import { compileClient } from '../kit/compile.ts';
import { decodeRecording } from '../kit/decode.ts';
import { live, scratch } from '../kit/live.ts';
import { bwrapArgs, makeRootfs, Podman, packSquashfs, requireAllowed, UserMount } from '../kit/sandboxes.ts';
import { type Service, startService } from '../kit/service.ts';
import { runTracer, Tracer } from '../kit/tracer.ts';

interface Listed {
  readonly pid: number;
  readonly innerPid?: number;
  readonly exe: string;
  readonly hookable: boolean;
}

/** The process that runs this program, as `tracer ps` shows it. */
async function listed(exe: string): Promise<Listed> {
  const { stdout } = await runTracer('ps', '--json');
  const row = (JSON.parse(stdout) as Listed[]).find((one) => one.exe === exe);
  if (row === undefined) throw new Error(`${exe} is not listed: ${stdout}`);
  return row;
}

/** What the wrapped program needs to make its six requests. */
const programArgs = (service: Service, ca: string): string[] => [String(service.port), ca, '2', '3'];

/** A program with a stripped OpenSSL of its own and the service's certificate, in a folder that becomes the file system. */
function makeTree(context: TestContext, service: Service, tree: string): void {
  const program = buildStaticClient(context, 'threads', { flags: ['-O2', '-pie', '-fPIE'] });
  mkdirSync(tree);
  copyFileSync(program, `${tree}/editor`);
  copyFileSync(service.ca, `${tree}/ca.pem`);
}

/** Attaches to the process by the host's pid, lets the client work, and compares every byte. */
async function expectTraced(
  { pid }: Listed,
  client: Client,
  service: Service,
  recording: string,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  await using tracer = await Tracer.attachAs(env, pid, '--record', recording);
  client.go();
  await client.process.json('done');
  const run = await tracer.end();
  expectByteExact(await decodeRecording(recording), await service.exchanges(6));
  expect(run.summary?.lost).toEqual({ out: 0, in: 0, incompleteCalls: 0 });
  expect(new Set(run.calls.map((call) => call.pid))).toEqual(new Set([pid]));
}

live('bubblewrap as flatpak calls it: namespaces of its own, the program in /app', async (context) => {
  debianFile(context, '/usr/bin/bwrap', 'bubblewrap');
  await using service = await startService();
  using dir = scratch();
  makeTree(context, service, dir.path('app'));
  requireAllowed(context, 'bubblewrap', 'bwrap', bwrapArgs(dir.path('app'), ['true']));
  const inner = ['/app/editor', ...programArgs(service, '/app/ca.pem')];
  await using client = await startProgram('bwrap', bwrapArgs(dir.path('app'), inner));
  const row = await listed('/app/editor');
  // Pid 1 in there is bubblewrap's own.
  expect(row).toMatchObject({ innerPid: 2, hookable: true });
  await expectTraced(row, client, service, dir.path('session.trc'));
});

live('a container of podman with a libssl of its own', { timeout: 120_000 }, async (context) => {
  using dir = scratch();
  using podman = new Podman(context, dir.path(''));
  await using service = await startService();
  const program = await compileClient('threads');
  podman.import(makeRootfs(dir.path('rootfs'), program, [service.ca]), dir.path('image.tar'), 'editor:latest');
  const command = [`/${basename(program)}`, ...programArgs(service, `/${basename(service.ca)}`)];
  podman.create(context, 'editor', 'editor:latest', command);
  await using client = await startProgram('podman', podman.startArgs('editor'));
  const row = await listed(`/${basename(program)}`);
  expect(row).toMatchObject({ innerPid: 1, hookable: true });
  await expectTraced(row, client, service, dir.path('session.trc'));
  await client.process.exited;
});

live('a program from a loop-mounted squashfs in a mount namespace of its own, as snaps are', async (context) => {
  await using service = await startService();
  using dir = scratch();
  makeTree(context, service, dir.path('tree'));
  packSquashfs(context, dir.path('tree'), dir.path('editor.snap'));
  mkdirSync(dir.path('snap'));
  const mount = ['-t', 'squashfs', '-o', 'loop,ro', dir.path('editor.snap'), dir.path('snap')];
  requireAllowed(context, 'a loop mount of squashfs', 'unshare', ['-m', 'mount', ...mount]);
  const script = `mount ${mount.join(' ')} && exec "$0" "$@"`;
  const program = [dir.path('snap/editor'), ...programArgs(service, dir.path('snap/ca.pem'))];
  await using client = await startProgram('unshare', ['-m', 'sh', '-c', script, ...program]);
  const row = await listed(dir.path('snap/editor'));
  expect(row).toMatchObject({ pid: client.pid, hookable: true });
  await expectTraced(row, client, service, dir.path('session.trc'));
});

live('an AppImage’s FUSE mount, into which root may not look: the owner’s sudo traces it', async (context) => {
  const why = whyNotAsUser();
  if (why !== null) context.skip(why);
  await using service = await startService();
  using dir = scratch();
  makeTree(context, service, dir.path('tree'));
  packSquashfs(context, dir.path('tree'), dir.path('editor.AppImage'));
  chmodSync(dir.path('editor.AppImage'), 0o644);
  mkdirSync(dir.path('mount'));
  chownSync(dir.path('mount'), DAEMON_UID, DAEMON_UID);
  await using _mount = await UserMount.make(context, dir.path('editor.AppImage'), dir.path('mount'), DAEMON_UID);
  expect(() => readFileSync(dir.path('mount/editor'))).toThrow('EACCES');

  const program = [dir.path('mount/editor'), ...programArgs(service, dir.path('mount/ca.pem'))];
  await using client = await startProgram('setpriv', [...AS_DAEMON, ...program]);
  const row = await listed(dir.path('mount/editor'));
  expect(row).toMatchObject({ pid: client.pid, hookable: true });
  await expectTraced(row, client, service, dir.path('session.trc'), SUDO_BY_DAEMON);
});
