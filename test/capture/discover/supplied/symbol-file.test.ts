import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isOfBuild, openSymbolFile } from '../../../../src/capture/discover/supplied/symbol-file.ts';
import { buildSeparated, opened } from '../../../kit/binaries/separated.ts';

const directory = mkdtempSync(join(tmpdir(), 'tracer-symbols-'));
afterAll(() => rmSync(directory, { recursive: true }));

describe('a file of symbols', () => {
  it('gives the functions of the program that it was separated from, by build-id', (context) => {
    const { program, debug, symbols } = buildSeparated(context, directory);
    const { elf } = opened(program);
    const file = openSymbolFile(debug);
    if (!file.ok) throw new Error(file.detail);
    expect(isOfBuild(file.value, elf)).toBe(true);
    expect(isOfBuild(file.value, opened('/usr/bin/true').elf)).toBe(false);
    const found = file.value.lookupFor(elf)(['SSL_read', 'ssl_write_internal', 'SSL_nothing']);
    expect([...found].map(([name, symbol]) => [name, symbol.address, symbol.table])).toEqual([
      ['SSL_read', symbols.get('SSL_read'), 'separate'],
      ['ssl_write_internal', symbols.get('ssl_write_internal'), 'separate'],
    ]);
  });

  it('in Breakpad’s form counts addresses from the first segment', (context) => {
    const { program } = buildSeparated(context, directory, '-no-pie');
    const { elf } = opened(program);
    const path = join(directory, 'breakpad.sym');
    writeFileSync(
      path,
      `MODULE Linux x86_64 0 x\nINFO CODE_ID ${elf.buildId?.toUpperCase()}\nFUNC 1230 4 0 SSL_read\n`,
    );
    const file = openSymbolFile(path);
    if (!file.ok) throw new Error(file.detail);
    expect(isOfBuild(file.value, elf)).toBe(true);
    expect(file.value.lookupFor(elf)(['SSL_read']).get('SSL_read')?.address).toBe(0x40_1230);
  });

  it('that is none, or that fits no build, is refused with the reason', () => {
    const text = join(directory, 'text');
    writeFileSync(text, 'hello');
    const bare = join(directory, 'bare');
    execFileSync('cc', ['-x', 'c', '-Wl,--build-id=none', '-o', bare, '-'], { input: 'int main(void){return 0;}' });
    const module = join(directory, 'module.sym');
    writeFileSync(module, 'MODULE Linux x86_64 ? electron\n');
    const why = (path: string): string => {
      const file = openSymbolFile(path);
      return file.ok ? 'opened' : file.detail;
    };
    expect(why(text)).toBe('neither a Breakpad symbol file nor an ELF file with symbols (not an ELF file)');
    expect(why(bare)).toBe('it has no build-id, so it cannot be told which program it is of');
    expect(why(module)).toBe('its MODULE line has no identifier');
    expect(why(join(directory, 'absent'))).toContain('ENOENT');
  });
});
