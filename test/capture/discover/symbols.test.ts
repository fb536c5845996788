import { describe, expect, it } from 'vitest';
import { readDynamic } from '../../../src/capture/discover/dynamic.ts';
import { parseElf } from '../../../src/capture/discover/elf.ts';
import { Reader } from '../../../src/capture/discover/reader.ts';
import { bytesSource } from '../../../src/capture/discover/source.ts';
import { findSymbols } from '../../../src/capture/discover/symbols.ts';
import { CODE_ADDRESS, tinyElf } from './tiny-elf.ts';

/** A program with a symbol table of {name offset, info, section, address} over the given names. */
function withSymbols(strings: string, symbols: [name: number, info: number, section: number, address: number][]) {
  const program = tinyElf({});
  const table = Buffer.alloc(symbols.length * 24);
  symbols.forEach(([name, info, section, address], i) => {
    table.writeUInt32LE(name, i * 24);
    table[i * 24 + 4] = info;
    table.writeUInt16LE(section, i * 24 + 6);
    table.writeBigUInt64LE(BigInt(address), i * 24 + 8);
  });
  const text = Buffer.from(strings, 'latin1');
  const at = [program.length, program.length + table.length, program.length + table.length + text.length];
  const sections = Buffer.alloc(3 * 64);
  const section = (i: number, type: number, offset: number, size: number, link: number, entry: number): void => {
    sections.writeUInt32LE(type, i * 64 + 4);
    sections.writeBigUInt64LE(BigInt(offset), i * 64 + 24);
    sections.writeBigUInt64LE(BigInt(size), i * 64 + 32);
    sections.writeUInt32LE(link, i * 64 + 40);
    sections.writeBigUInt64LE(BigInt(entry), i * 64 + 56);
  };
  section(1, 2, at[0]!, table.length, 2, 24);
  section(2, 3, at[1]!, text.length, 0, 0);
  const bytes = Buffer.concat([program, table, text, sections]);
  bytes.writeBigUInt64LE(BigInt(at[2]!), 40);
  bytes.writeUInt16LE(64, 58);
  bytes.writeUInt16LE(3, 60);
  const answer = parseElf(new Reader(bytesSource(bytes)));
  if (!answer.ok) throw new Error(answer.why);
  return answer.image;
}

const FUNCTION = 0x12;

describe('functions by name in the symbol table', () => {
  it('are found also when the linker merged the name with the tail of another', () => {
    const image = withSymbols('\0my_SSL_read\0', [[4, FUNCTION, 1, CODE_ADDRESS]]);
    expect(findSymbols(image, readDynamic(image), ['SSL_read']).get('SSL_read')).toEqual({
      name: 'SSL_read',
      address: CODE_ADDRESS,
      sizeBytes: 0,
      table: 'symtab',
    });
  });

  it('are not data, not undefined, not of another name', () => {
    const image = withSymbols('\0SSL_read\0my_SSL_read\0', [
      [1, 0x11, 1, CODE_ADDRESS],
      [1, FUNCTION, 0, CODE_ADDRESS],
      [10, FUNCTION, 1, CODE_ADDRESS],
    ]);
    expect(findSymbols(image, readDynamic(image), ['SSL_read']).size).toBe(0);
  });
});
