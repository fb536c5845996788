// Programs in the wrappings in which editors are shipped: bubblewrap (what flatpak is made of), a container of podman, a
// read-only file system in one file (snap, AppImage).
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { TestContext } from 'vitest';
import { debianFile } from './binaries/programs.ts';
import { KitProcess } from './process.ts';

/** As `flatpak run` calls it: own user, pid and IPC namespaces, the runtime as /usr, the application as /app. */
export function bwrapArgs(app: string, more: readonly string[]): string[] {
  const namespaces = ['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--die-with-parent'];
  const links = ['lib', 'lib64', 'bin'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]);
  const places = ['--ro-bind', '/usr', '/usr', ...links, '--ro-bind', app, '/app', '--tmpfs', '/tmp'];
  return [...namespaces, ...places, '--proc', '/proc', '--dev', '/dev', ...more];
}

/** A root file system with one program, the shared libraries that it names, and other files. */
export function makeRootfs(directory: string, program: string, others: readonly string[]): string {
  const libraries = execFileSync('ldd', [program], { encoding: 'utf8' }).match(/\/\S+(?= \(0x)/g) ?? [];
  for (const file of libraries) copyTo(directory, file, file);
  for (const file of [program, ...others]) copyTo(directory, file, basename(file));
  return directory;
}

function copyTo(directory: string, from: string, to: string): void {
  const target = join(directory, to);
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(from, target);
}

/** A read-only file system in one file. */
export function packSquashfs(context: TestContext, tree: string, file: string): void {
  debianFile(context, '/usr/bin/mksquashfs', 'squashfs-tools');
  // lz4: fast, and known to the kernel and to squashfuse.
  execFileSync('mksquashfs', [tree, file, '-comp', 'lz4', '-noappend', '-quiet', '-no-progress'], { stdio: 'pipe' });
}

const RIGHTS_OF_FUSERMOUNT = '+sys_admin,+dac_override';

/** What an AppImage's first instructions do: its file system mounted by FUSE for the user alone. Even root may not look in. */
export class UserMount implements AsyncDisposable {
  readonly #process: KitProcess;
  readonly #place: string;

  private constructor(file: string, place: string, uid: number) {
    this.#place = place;
    // In place of the set-uid fusermount: the right to mount, and to open /dev/fuse, as that user.
    const rights = [`--inh-caps=${RIGHTS_OF_FUSERMOUNT}`, `--ambient-caps=${RIGHTS_OF_FUSERMOUNT}`];
    const user = ['--reuid', String(uid), '--regid', String(uid), '--clear-groups'];
    this.#process = new KitProcess('setpriv', [...user, ...rights, 'squashfuse', '-f', file, place]);
  }

  static async make(context: TestContext, file: string, place: string, uid: number): Promise<UserMount> {
    debianFile(context, '/usr/bin/squashfuse', 'squashfuse');
    if (!existsSync('/dev/fuse')) context.skip('the kernel has no FUSE');
    const mount = new UserMount(file, place, uid);
    while (!mount.#isThere()) {
      const ended = await Promise.race([mount.#process.exited, setTimeout(20, null)]);
      if (ended !== null) context.skip(`no FUSE mount on this machine: ${mount.#process.stderr.slice(0, 300)}`);
    }
    return mount;
  }

  #isThere(): boolean {
    return readFileSync('/proc/mounts', 'utf8').includes(` ${this.#place} fuse`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    execFileSync('umount', ['--lazy', this.#place]);
    await this.#process.stop();
  }
}

/** podman with storage of its own below a directory; nothing of the machine's own containers is touched. What it made ends
 * with it. */
export class Podman implements Disposable {
  readonly #flags: readonly string[];
  readonly #env: NodeJS.ProcessEnv;

  constructor(context: TestContext, directory: string) {
    for (const name of ['podman', 'runc']) debianFile(context, `/usr/${name === 'runc' ? 's' : ''}bin/${name}`, name);
    const run = join(directory, 'run');
    mkdirSync(run);
    this.#env = { ...process.env, XDG_RUNTIME_DIR: run };
    const places = ['--root', join(directory, 'storage'), '--runroot', join(directory, 'runroot')];
    const kinds = ['--storage-driver', 'vfs', '--cgroup-manager', 'cgroupfs', '--events-backend', 'none'];
    this.#flags = [...places, ...kinds, '--runtime', 'runc'];
  }

  call(...args: readonly string[]): string {
    return execFileSync('podman', [...this.#flags, ...args], { encoding: 'utf8', env: this.#env, stdio: 'pipe' });
  }

  [Symbol.dispose](): void {
    this.call('rm', '--all', '--force');
  }

  /** Makes an image of a root file system. */
  import(rootfs: string, archive: string, image: string): void {
    execFileSync('tar', ['cf', archive, '-C', rootfs, '.']);
    this.call('import', archive, image);
  }

  /** Makes a container of the image, its network and IPC being the host's. Skips the test where podman is not allowed to. */
  create(context: TestContext, name: string, image: string, command: readonly string[]): void {
    const limits = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024'];
    const shared = ['--network', 'host', '--ipc', 'host'];
    this.call('create', '-i', '--name', name, ...shared, ...limits, image, ...command);
    try {
      this.call('init', name);
    } catch (error) {
      context.skip(`podman makes no containers on this machine: ${String(error).slice(0, 300)}`);
    }
  }

  /** The command line that runs the container's program in the foreground. */
  startArgs(name: string): string[] {
    return [...this.#flags, 'start', '--attach', '--interactive', name];
  }
}

/** Skips the test where the machine refuses what it needs, with the words of the refusal. */
export function requireAllowed(context: TestContext, what: string, command: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) context.skip(`${what} is not possible on this machine: ${error ?? stderr.slice(0, 300)}`);
}
