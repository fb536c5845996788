// What the verifier thinks: the objects of every clang on this machine are built without a warning and load, with and
// without kernel BTF, with and without attach cookies (kernels before 5.15). Prints the verified instructions.

import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { availableClangs, buildObjects, buildProgram, whyNotLive } from './kit.ts';

const reason = whyNotLive();
if (reason) console.warn(`verifier test skipped: ${reason}`);

const clangs = availableClangs();
const ROLES = ['read', 'write', 'read_ex', 'write_ex', 'open', 'seal', 'seal_old', 'write_ex2'];
const TLS = [
  ...ROLES.flatMap((r) => [`tls_${r}_enter`, `tls_${r}_exit`]),
  'tls_free_enter',
  'tls_sni_enter',
  'tls_ctrl_enter',
];
const TRACEPOINTS = ['proc_fork', 'proc_exec', 'proc_exit', 'peer_send'];
/** Far below the verifier's million: a change that multiplies paths shows here, not on a user's older kernel. */
const MOST_INSTRUCTIONS = 20_000;

function verify(loader: string, how: string, object: string): Map<string, number> {
  const lines = execFileSync(loader, [how, object], { encoding: 'utf8' }).trim().split('\n');
  return new Map(lines.map((line) => [line.split(' ')[0] ?? '', Number(line.split(' ')[1])]));
}

describe.skipIf(clangs.length === 0)('the kernel side compiles', () => {
  it.each(clangs)('without warnings by %s, for both architectures', (clang) => {
    buildObjects(clang, 'ARCH=arm64');
    buildObjects(clang, 'ARCH=x86');
  });
});

describe.skipIf(reason)('the verifier', () => {
  let loader = '';
  beforeAll(() => {
    loader = buildProgram('loader.c', '-lbpf', '-lelf', '-lz');
  });

  it.each(clangs)('accepts the programs that %s makes', (clang) => {
    const object = `${buildObjects(clang)}/tracer.bpf.o`;
    const counted = verify(loader, 'verify', object);
    console.info(`${clang}: ${[...counted].map(([name, n]) => `${name} ${n}`).join(', ')}`);
    expect([...counted.keys()].sort()).toEqual([...TLS, ...TRACEPOINTS].sort());
    expect(Math.max(...counted.values())).toBeLessThan(MOST_INSTRUCTIONS);
  });

  it.each(clangs)('accepts what %s makes for old kernels: no BTF, no cookie', (clang) => {
    const object = `${buildObjects(clang)}/tracer-nobtf.bpf.o`;
    expect([...verify(loader, 'verify-without-cookie', object).keys()].sort()).toEqual([...TLS].sort());
  });
});
