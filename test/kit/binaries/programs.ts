// Real programs for tests. What Debian installs is used where it is; what npm ships is fetched once into build/cache. A
// missing program skips its tests visibly, and fails them in CI with the command that installs it.

import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import type { TestContext } from 'vitest';

export const CACHE = fileURLToPath(new URL('../../../build/cache', import.meta.url));

function missing(context: TestContext, what: string, remedy: string): never {
  if (process.env.CI) throw new Error(`${what} is missing: ${remedy}`);
  return context.skip(`${what} is missing: ${remedy}`);
}

/** A file that a Debian package installs. */
export function debianFile(context: TestContext, path: string, packageName: string): string {
  return existsSync(path) ? path : missing(context, path, `apt-get install ${packageName}`);
}

/** A file out of a Debian package of a version that may not be the installed one, unpacked. Archives drop old versions, so
 * only its absence is a reason to skip. */
export function debFile(context: TestContext, packageName: string, version: string, file: string): string {
  const directory = `${CACHE}/deb-${packageName}-${version}`;
  const wanted = `${directory}/${file.split('/').at(-1)}`;
  if (existsSync(wanted)) return wanted;
  const temporary = `${directory}.${process.pid}`;
  try {
    mkdirSync(temporary, { recursive: true });
    execFileSync('apt-get', ['download', '-q', `${packageName}=${version}`], { cwd: temporary, stdio: 'pipe' });
    const archive = readdirSync(temporary).find((name) => name.endsWith('.deb'));
    execFileSync('dpkg-deb', ['-x', `${temporary}/${archive}`, temporary], { stdio: 'pipe' });
    mkdirSync(directory, { recursive: true });
    copyFileSync(`${temporary}/${file}`, `${temporary}/whole`);
    renameSync(`${temporary}/whole`, wanted);
    return wanted;
  } catch (error) {
    return context.skip(`${packageName} ${version} is not in the archive any more (${String(error).slice(0, 200)})`);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** A file out of a package on npm, unpacked; `.br` files are decompressed. */
export function npmFile(context: TestContext, packageName: string, version: string, file: string): string {
  const directory = `${CACHE}/${packageName.replace(/[@/]/g, '_')}-${version}`;
  const wanted = `${directory}/${file.replace(/\.br$/, '').split('/').at(-1)}`;
  if (existsSync(wanted)) return wanted;
  const temporary = `${directory}.${process.pid}`;
  try {
    mkdirSync(temporary, { recursive: true });
    const spec = `${packageName}@${version}`;
    execFileSync('npm', ['pack', '--silent', '--pack-destination', temporary, spec], { stdio: 'pipe' });
    const archive = readdirSync(temporary).find((name) => name.endsWith('.tgz'));
    execFileSync('tar', ['xzf', `${temporary}/${archive}`, '-C', temporary, `package/${file}`]);
    const bytes = readFileSync(`${temporary}/package/${file}`);
    mkdirSync(directory, { recursive: true });
    // In the folder of this process: another one may be fetching the same.
    writeFileSync(`${temporary}/whole`, file.endsWith('.br') ? brotliDecompressSync(bytes) : bytes, { mode: 0o755 });
    renameSync(`${temporary}/whole`, wanted);
    return wanted;
  } catch (error) {
    return missing(context, `${packageName}@${version}`, `npm must be reachable (${String(error).slice(0, 200)})`);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
