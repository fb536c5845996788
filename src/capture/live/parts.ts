// Where the built parts lie: relative to the package's root, which is found by its package.json, so that it works from
// build/js as well as from the sources under test.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

function findRoot(from: string): string {
  for (let dir = from; ; dir = dirname(dir)) {
    const manifest = join(dir, 'package.json');
    if (existsSync(manifest) && readFileSync(manifest, 'utf8').includes('"@ebpf-tools/tracer"')) return dir;
    if (dirname(dir) === dir) throw new Error('package.json of @ebpf-tools/tracer not found above this module');
  }
}

const ROOT = findRoot(dirname(fileURLToPath(import.meta.url)));

/** The compiled kernel side, with or without the part that needs kernel type information. */
export const objectPath = (followProcesses: boolean): string =>
  join(ROOT, 'build/bpf', followProcesses ? 'tracer.bpf.o' : 'tracer-nobtf.bpf.o');

/** The compiled addon: bundled with an installed package, in a checkout a link to `native/`. */
export const addonPath = (): string => join(ROOT, 'node_modules/@ebpf-tools/node/build/ebpf.node');

/** The package's manifest. */
export const packageFile = (): string => join(ROOT, 'package.json');
