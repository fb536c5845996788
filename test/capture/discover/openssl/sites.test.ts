import { describe, expect, it } from 'vitest';
import type { FunctionTrace } from '../../../../src/capture/discover/code/walk.ts';
import { readImage } from '../../../../src/capture/discover/image.ts';
import { siteForms } from '../../../../src/capture/discover/openssl/sites.ts';
import { bytesSource } from '../../../../src/capture/discover/source.ts';
import { CODE_ADDRESS, DATA_ADDRESS, tinyElf } from '../tiny-elf.ts';

const TEXTS = '\0../ssl/ssl_lib.c\0ssl_read_internal\0SSL_write\0';
const at = (text: string): number => DATA_ADDRESS + TEXTS.indexOf(text);

const sitesOf = (version: string | undefined, data = TEXTS, code?: Uint8Array) => {
  const answer = readImage(bytesSource(tinyElf({ data: Buffer.from(data), ...(code && { code }) })));
  if (!answer.ok) throw new Error(answer.why);
  return siteForms(answer.image, version).map((form) => form())[0];
};

/** A function that makes one call with these constants. */
const calling = (...values: number[]): FunctionTrace => ({
  entry: CODE_ADDRESS,
  instructions: new Map(),
  exits: [],
  loads: [],
  stores: [],
  calls: [
    {
      at: CODE_ADDRESS,
      target: undefined,
      through: undefined,
      args: values.map((value) => ({ kind: 'const', value })),
    },
  ],
});

describe('error sites of OpenSSL', () => {
  it('are named by a text from version 3 on', () => {
    const sites = sitesOf('3.0.19');
    const trace = calling(at('../ssl/ssl_lib.c'), 1919, at('ssl_read_internal'));
    expect(sites?.holds(trace, 'ssl_read_internal')).toBe(true);
    expect(sites?.holds(trace, 'SSL_write')).toBe(false);
    expect(sites?.holds(calling(1, 1919, at('ssl_read_internal')), 'ssl_read_internal')).toBe(false);
  });

  it('are named by a number in 1.1.1, which is that of the library for TLS only', () => {
    const sites = sitesOf('1.1.1w');
    const path = at('../ssl/ssl_lib.c');
    expect(sites?.holds(calling(20, 523, 276, path, 1700), 'ssl_read_internal')).toBe(true);
    expect(sites?.holds(calling(20, 524, 276, path, 1900), 'ssl_read_internal')).toBe(false);
    expect(sites?.holds(calling(13, 523, 276, path, 1700), 'ssl_read_internal')).toBe(false);
    expect(sites?.holds(calling(20, 523, 276, 1, 1700), 'ssl_read_internal')).toBe(false);
  });

  it('in no recognised function matter in 1.1.1 only near the number of an internal function', () => {
    const code = Buffer.alloc(0x800, 0x90);
    code.set([0xbe, 0x0c, 0x02, 0, 0], 0x100); // mov esi, 524
    const sites = sitesOf('1.1.1w', TEXTS, code);
    expect(sites?.matters(CODE_ADDRESS + 0x180)).toBe(true);
    expect(sites?.matters(CODE_ADDRESS + 0x400)).toBe(false);
  });

  it('in no recognised function matter in 3.x when they name an internal function', () => {
    const code = Buffer.alloc(0x100, 0x90);
    const form = (place: number, text: string): void => {
      code.set([0x48, 0x8d, 0x15], place); // lea rdx, [rip + distance]
      code.writeInt32LE(at(text) - (CODE_ADDRESS + place + 7), place + 3);
    };
    form(0x20, 'ssl_read_internal');
    form(0x60, 'SSL_write');
    const sites = sitesOf('3.0.19', TEXTS, code);
    expect(sites?.places).toEqual([CODE_ADDRESS + 0x20, CODE_ADDRESS + 0x60]);
    expect(sites?.places.map((place) => sites.matters(place))).toEqual([true, false]);
  });

  it('are found by the path alone on AArch64, where compilers form names’ addresses from others', () => {
    const code = Buffer.alloc(64);
    code.writeUInt32LE(0xd000_0ff0, 0); // adrp x16, the data's page
    code.writeUInt32LE(0x9100_0610, 4); // add x16, x16, #1
    const answer = readImage(bytesSource(tinyElf({ data: Buffer.from(TEXTS), code, machine: 183 })));
    if (!answer.ok) throw new Error(answer.why);
    const [sites] = siteForms(answer.image, '3.0.19').map((form) => form());
    expect(sites?.places).toHaveLength(1);
    expect(sites?.matters(sites.places[0] ?? 0)).toBe(true);
  });

  it('are not there in other versions without names', () => {
    expect(sitesOf('1.1.0l', '\0../ssl/ssl_lib.c\0')).toBeUndefined();
  });

  it('have either form where no version is told: 1.1.1 has the names, too, in a table', () => {
    const answer = readImage(bytesSource(tinyElf({ data: Buffer.from(TEXTS) })));
    if (!answer.ok) throw new Error(answer.why);
    expect(siteForms(answer.image, undefined)).toHaveLength(2);
    expect(siteForms(answer.image, '3.0.19')).toHaveLength(1);
    expect(siteForms(answer.image, '1.1.1w')).toHaveLength(1);
  });
});
