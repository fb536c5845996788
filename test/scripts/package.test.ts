// The package as it is published: packed, unpacked where nothing of the checkout is but its dependencies, and called as npm
// links it. What a build makes must be there (`make build`).
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const RECORDING = join(ROOT, 'test/vectors/recording/v1.rec');

describe('the packed package', () => {
  // Below the checkout, so that the packages it depends on are found in the checkout's node_modules.
  let dir: string;
  let installed: string;
  beforeAll(() => {
    mkdirSync(join(ROOT, 'build'), { recursive: true });
    dir = mkdtempSync(join(ROOT, 'build', 'package-'));
    execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', dir], { cwd: ROOT });
    execFileSync('tar', ['-xzf', readdirSync(dir)[0] ?? '', '--no-same-owner'], { cwd: dir });
    installed = join(dir, 'package');
    mkdirSync(join(dir, 'bin'));
    symlinkSync('../package/scripts/tracer.sh', join(dir, 'bin/tracer'));
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  /** From another directory, as a user's shell does. */
  const tracer = (file: string, ...args: string[]): unknown => {
    const { status, stdout } = spawnSync(file, args, { cwd: '/', encoding: 'utf8' });
    return { status, stdout };
  };

  it('replays a recording as the checkout does', () => {
    const replayed = tracer(join(dir, 'bin/tracer'), 'replay', '--json', RECORDING);
    expect(replayed).toEqual(tracer(join(ROOT, 'build/tracer'), 'replay', '--json', RECORDING));
    expect(replayed).toMatchObject({ stdout: expect.stringContaining('"type":"call"') });
  });

  it('finds its kernel side and its addon', () => {
    const { stdout } = tracer(join(dir, 'bin/tracer'), 'doctor', '--json') as { stdout: string };
    expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ name: 'built parts', state: 'ok' }));
  });

  it('holds what runs and what is to be read, and nothing else', () => {
    expect(readdirSync(installed).sort()).toEqual(
      [
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'bpf',
        'build',
        'docs',
        'node_modules',
        'package.json',
        'scripts',
      ].sort(),
    );
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
    expect(files.filter((name) => /\.(map|ts)$/.test(name) && !name.startsWith('node_modules'))).toEqual([]);
  });
});
