import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { discoverProcess, type KnownFiles, type ProcessDiscovery } from '../../../src/capture/discover/process.ts';
import { readMappedFiles } from '../../../src/capture/proc/maps.ts';
import { debianFile } from '../../kit/binaries/programs.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Starts a program that prints a line when it is ready. */
async function start(command: string, ...args: string[]): Promise<number> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  await new Promise((done) => child.stdout?.once('data', done));
  return child.pid!;
}

function discover(pid: number, known?: KnownFiles): ProcessDiscovery {
  const found = discoverProcess(pid, known && { known });
  if (!found.ok) throw new Error(found.detail);
  return found.value;
}

const READY = 'console.log(1); setTimeout(() => {}, 30_000)';

describe('the TLS libraries of a process', () => {
  it('finds the shared libssl of Python, to be attached inside its own file system', async (context) => {
    const python = debianFile(context, '/usr/bin/python3', 'python3');
    const pid = await start(python, '-c', 'import ssl, time; print(1, flush=True); time.sleep(30)');
    const { images, role, unsupported } = discover(pid);
    expect(role).toBe('python');
    expect(images.map((i) => [i.library, i.linkage])).toEqual([['openssl', 'shared']]);
    expect(images[0]?.attachPath).toMatch(new RegExp(`^/proc/${pid}/root/.*/libssl\\.so`));
    expect(images[0]?.file.buildId).toMatch(/^[0-9a-f]{40}$/);
    expect(unsupported).toEqual([]);
  });

  it('finds the static OpenSSL of a Node whose file was deleted while it runs', async (context) => {
    const directory = mkdtempSync(join(tmpdir(), 'tracer-process-'));
    const copy = join(directory, 'node');
    copyFileSync(process.execPath, copy);
    const pid = await start(copy, '-e', READY);
    rmSync(directory, { recursive: true });
    const { images, role, process: facts } = discover(pid);
    if (images[0]?.linkage === 'shared') return context.skip('this Node uses a shared OpenSSL');
    expect([role, facts.isExeDeleted]).toEqual(['node', true]);
    expect(images.map((i) => [i.library, i.attachPath])).toEqual([['openssl', `/proc/${pid}/exe`]]);
  });

  it('looks into a file once, however many processes map it', async () => {
    const known: KnownFiles = new Map();
    const first = discover(await start(process.execPath, '-e', READY), known);
    const files = known.size;
    const second = discover(await start(process.execPath, '-e', READY), known);
    expect(known.size).toBe(files);
    expect(second.images.map((i) => i.hooks)).toEqual(first.images.map((i) => i.hooks));
    expect(second.images[0]?.hooks).toBe(first.images[0]?.hooks);
  });

  it('counts a library that is mapped later', async (context) => {
    const python = debianFile(context, '/usr/bin/python3', 'python3');
    // os.write: print() may need two writes for a line, and each is a `data` event.
    const script =
      'import os, sys; os.write(1, b"1"); sys.stdin.read(1); import ssl; os.write(1, b"2"); sys.stdin.read()';
    const child = spawn(python, ['-c', script], { stdio: ['pipe', 'pipe', 'ignore'] });
    children.push(child);
    await new Promise((done) => child.stdout.once('data', done));
    expect(discover(child.pid!).images).toEqual([]);
    child.stdin.write('x');
    await new Promise((done) => child.stdout.once('data', done));
    expect(discover(child.pid!).images.map((i) => i.library)).toEqual(['openssl']);
    expect(readMappedFiles(child.pid!).ok).toBe(true);
  });

  it('answers "gone" for a process that has gone', () => {
    expect(discoverProcess(4194305)).toMatchObject({ ok: false, why: 'gone' });
  });
});
