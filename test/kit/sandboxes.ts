// Programs in the wrappings in which editors are shipped: bubblewrap (what flatpak is made of), a container of podman, a
// read-only file system in one file (snap, AppImage).
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { TestContext } from 'vitest';
import { debianFile } from './binaries/programs.ts';

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

/** podman with storage of its own below a directory; nothing of the machine's own containers is touched. */
export class Podman {
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

/** Skips the test where the kernel mounts no squashfs from a file. */
export function requireLoopMounts(context: TestContext): void {
  const knows = readFileSync('/proc/filesystems', 'utf8').includes('\tsquashfs\n') && existsSync('/dev/loop-control');
  if (!knows) context.skip('the kernel has no squashfs or no loop devices');
}
