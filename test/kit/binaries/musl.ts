// Programs made for musl on Debian: the `musl` package has the C library and its loader; the C++ libraries are Debian's own,
// with what they miss in musl beside them.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import { kitPath } from '../service.ts';
import { debianFile } from './programs.ts';

const FROM_DEBIAN = ['libstdc++.so.6', 'libgcc_s.so.1'];

/** They name glibc's loader as a library that they need: the gap takes its name. */
const GAP = 'ld-linux-x86-64.so.2';

/** The loader of musl programs. */
export const muslLoader = (context: TestContext): string => debianFile(context, '/lib/ld-musl-x86_64.so.1', 'musl');

/** Makes a folder with the shared libraries of a C++ program made for musl. */
export function makeMuslLibraries(context: TestContext, directory: string): string {
  mkdirSync(directory);
  for (const name of FROM_DEBIAN) {
    const file = debianFile(context, `/usr/lib/x86_64-linux-gnu/${name}`, 'libstdc++6');
    copyFileSync(file, join(directory, name));
  }
  const flags = ['-O2', '-fPIC', '-fno-builtin', '-shared', '-nostdlib', `-Wl,-soname,${GAP}`];
  execFileSync('cc', [...flags, '-o', join(directory, GAP), kitPath('c/musl-gap.c')], { stdio: 'pipe' });
  return directory;
}
