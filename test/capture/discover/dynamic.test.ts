import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { gnuHash, readDynamic, sysvHash } from '../../../src/capture/discover/dynamic.ts';
import { readImage } from '../../../src/capture/discover/image.ts';
import { openFileSource } from '../../../src/capture/discover/source.ts';
import { findSymbols } from '../../../src/capture/discover/symbols.ts';
import { tinyImage } from './tiny-elf.ts';

const directory = mkdtempSync(join(tmpdir(), 'tracer-dynamic-'));
afterAll(() => rmSync(directory, { recursive: true }));

const CODE =
  'int f_one(void) { return 1; } int f_two(void) { return 2; } static int f_own(void) { return 3; } int data_x; int f_three(void) { return f_own(); }';

function library(name: string, ...flags: string[]): { path: string; image: ReturnType<typeof open> } {
  const path = join(directory, name);
  writeFileSync(`${path}.c`, CODE);
  execFileSync('cc', ['-O0', '-shared', '-fPIC', ...flags, '-Wl,-soname,libx.so.7', '-o', path, `${path}.c`]);
  return { path, image: open(path) };
}

function open(path: string) {
  const source = openFileSource(path);
  if (!source.ok) throw new Error(source.detail);
  const answer = readImage(source.value);
  if (!answer.ok) throw new Error(answer.why);
  return answer.image;
}

describe('the dynamic section', () => {
  it('computes the hashes of the specifications', () => {
    expect(gnuHash('printf')).toBe(0x156b2bb8);
    expect(gnuHash('')).toBe(0x1505);
    expect(sysvHash('printf')).toBe(0x077905a6);
  });

  it.each(['gnu', 'sysv'])('looks symbols up by the %s hash table', (style) => {
    const { path, image } = library(`${style}.so`, `-Wl,--hash-style=${style}`);
    const nm = execFileSync('nm', ['-D', path], { encoding: 'utf8' });
    for (const name of ['f_one', 'f_two', 'f_three']) {
      const address = Number.parseInt(new RegExp(`([0-9a-f]+) T ${name}`).exec(nm)?.[1] ?? '', 16);
      expect(image.dynamic.lookup(name)).toMatchObject({ name, address });
    }
    expect(image.dynamic.lookup('f_own')).toBeUndefined();
    expect(image.dynamic.lookup('data_x')).toBeUndefined();
    expect(image.dynamic.soname).toBe('libx.so.7');
  });

  it('tells needed libraries of this Node', () => {
    expect(open(process.execPath).dynamic.needed.join()).toMatch(/libc\.|libm\.|libdl/);
  });

  it('is empty where a file has none', () => {
    const dynamic = readDynamic(tinyImage({}));
    expect([dynamic.needed, dynamic.soname, dynamic.lookup('x')]).toEqual([[], undefined, undefined]);
  });

  it('falls back to the symbol table only where the dynamic symbols have none of the names', () => {
    const { image } = library('sym.so');
    const names = (sought: string[]) =>
      [...findSymbols(image.elf, image.dynamic, sought)].map(([n, s]) => `${n} ${s.table}`);
    expect(names(['f_own', 'f_absent'])).toEqual(['f_own symtab']);
    expect(names(['f_own', 'f_one'])).toEqual(['f_one dynsym']);
  });
});
