// `make test-binaries`: the search over some forty real programs of two architectures, fetched once. The first run takes minutes
// and 7 GB of disk, so an ordinary `make test` does without; it has a part of these programs in other tests.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Functions } from '../../../src/capture/discover/code/functions.ts';
import { machineOf } from '../../../src/capture/discover/code/machine-of.ts';
import { readImage } from '../../../src/capture/discover/image.ts';
import { findStaticOpenSsl } from '../../../src/capture/discover/openssl/find.ts';
import { findMethods } from '../../../src/capture/discover/openssl/find-methods.ts';
import { bytesSource, openFileSource } from '../../../src/capture/discover/source.ts';
import { inspectImage } from '../../../src/capture/targets/table.ts';
import { REAL_BINARIES } from '../../kit/binaries/list.ts';
import { withoutSymbols } from '../../kit/binaries/without-symbols.ts';

const isAsked = process.env.TRACER_ALL_BINARIES === '1';
const DOCS = fileURLToPath(new URL('../../../docs/discovery.md', import.meta.url));

function hooksOf(path: string): string {
  const source = openFileSource(path);
  const answer = source.ok ? readImage(source.value) : undefined;
  if (!source.ok || !answer?.ok) throw new Error(`${path} is not readable`);
  const findings = inspectImage(answer.image);
  source.value.close();
  expect(findings.filter((f) => f.hooks.length > 0)).toHaveLength(1);
  return findings.flatMap((f) => f.hooks.map((h) => `${h.symbol} ${h.fileOffset.toString(16)}`)).join(', ');
}

const NODES = REAL_BINARIES.filter(({ name }) => name.startsWith('Node'));

describe.runIf(isAsked)('real programs', () => {
  it.for(REAL_BINARIES)('$name', { timeout: 600_000 }, ({ locate, hooks }, context) => {
    expect(hooksOf(locate(context))).toBe(hooks);
  });

  it.for(NODES)('$name with its symbols taken away', { timeout: 600_000 }, ({ locate }, context) => {
    const path = locate(context);
    const source = openFileSource(path);
    const whole = source.ok ? readImage(source.value) : undefined;
    const stripped = readImage(bytesSource(withoutSymbols(path)));
    if (!whole?.ok || !stripped.ok) throw new Error(`${path} is not readable`);
    const names = ['SSL_read', 'SSL_read_ex', 'SSL_write', 'SSL_write_ex', 'SSL_write_ex2'];
    const known = [...names, 'ssl_read_internal', 'ssl_write_internal'].map((name) => [
      whole.image.dynamic.lookup(name)?.address,
      name,
    ]);
    const { found } = findStaticOpenSsl(stripped.image);
    const nameOf = new Map(known as [number, string][]);
    const all = found?.functions.map((f) => nameOf.get(f.entry) ?? 'another function') ?? [];
    expect(all).toContain('ssl_read_internal');
    expect(all).toContain('ssl_write_internal');
    expect(all).not.toContain('another function');
  });

  it.for(NODES)('$name by its method tables alone', { timeout: 600_000 }, ({ locate }, context) => {
    const path = locate(context);
    const source = openFileSource(path);
    const whole = source.ok ? readImage(source.value) : undefined;
    const stripped = readImage(bytesSource(withoutSymbols(path)));
    if (!whole?.ok || !stripped.ok) throw new Error(`${path} is not readable`);
    const { elf } = stripped.image;
    const { found } = findMethods(elf, new Functions(elf, machineOf(elf)));
    const exported = ['ssl3_read', 'ssl3_write'].map((name) => whole.image.dynamic.lookup(name)?.address);
    expect([found?.read, found?.write]).toEqual(exported);
  });
});

describe('the table of real programs in the documentation', () => {
  const rows = readFileSync(DOCS, 'utf8').split('\n');
  it.each(REAL_BINARIES)('has a row for $name', ({ name, hooks }) => {
    const functions = hooks.replace(/ [0-9a-f]+(?=,|$)/g, '');
    expect(rows.filter((row) => row.startsWith(`| ${name} | ${functions} |`))).toHaveLength(1);
  });
});
