import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressOf, isCode, offsetOf, parseElf } from '../../../src/capture/discover/elf.ts';
import { readImage } from '../../../src/capture/discover/image.ts';
import { Reader } from '../../../src/capture/discover/reader.ts';
import { bytesSource } from '../../../src/capture/discover/source.ts';
import { inspectImage } from '../../../src/capture/targets/table.ts';
import { CODE_ADDRESS, CODE_OFFSET, DATA_ADDRESS, hexBytes, tinyElf, tinyImage } from './tiny-elf.ts';

const parse = (bytes: Uint8Array) => parseElf(new Reader(bytesSource(bytes)));
const BUILD_ID_NOTE = hexBytes('04 00 00 00 04 00 00 00 03 00 00 00 47 4e 55 00 de ad be ef');

describe('ELF headers', () => {
  it('tells addresses from file offsets', () => {
    const image = tinyImage({ data: new Uint8Array(8) });
    expect(offsetOf(image, CODE_ADDRESS + 4)).toBe(CODE_OFFSET + 4);
    expect(addressOf(image, CODE_OFFSET + 4)).toBe(CODE_ADDRESS + 4);
    expect(offsetOf(image, 0x1234)).toBeUndefined();
    expect([isCode(image, CODE_ADDRESS), isCode(image, DATA_ADDRESS)]).toEqual([true, false]);
  });

  it('reads machine, kind and build-id', () => {
    const image = tinyImage({
      machine: 183,
      isFixed: false,
      data: BUILD_ID_NOTE,
      extra: [{ type: 4, at: 0, size: 20 }],
    });
    expect([image.machine, image.isFixed, image.buildId]).toEqual(['aarch64', false, 'deadbeef']);
  });

  it.each([
    ['an empty file', new Uint8Array(0), 'not an ELF file'],
    ['text', Buffer.from('#!/bin/sh\n'), 'not an ELF file'],
    ['32 bits', hexBytes('7f 45 4c 46 01 01 01'), 'not a 64-bit little-endian ELF file'],
    ['headers only', tinyElf({}).subarray(0, 64), 'no code segment'],
  ])('says why not for %s', (_, bytes, why) => {
    expect(parse(bytes)).toEqual({ ok: false, why });
  });

  it('names a machine that it does not know', () => {
    const riscv = tinyElf({});
    riscv[18] = 243;
    expect(parse(riscv)).toEqual({ ok: false, why: 'machine 243 is not supported' });
  });

  it('survives any damage and any cut, through all targets', () => {
    const data = Buffer.concat([BUILD_ID_NOTE, Buffer.from('\0../../ssl/ssl_lib.cc\0OpenSSL 3.0.1 1 Jan 2026\0')]);
    const whole = tinyElf({
      code: new Uint8Array(256).fill(0x8d),
      data,
      extra: [
        { type: 2, at: 0, size: 64 },
        { type: 4, at: 0, size: 20 },
        { type: 0x6474_e550, at: 0, size: 20 },
      ],
    });
    const places = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 12 });
    fc.assert(
      fc.property(places, fc.nat(whole.length), (damage, length) => {
        const bytes = Uint8Array.from(whole);
        // Mostly the headers: that is where a parser can be led astray.
        for (const [at, value] of damage) bytes[value % 2 === 0 ? at % 400 : at] = value;
        for (const cut of [bytes, bytes.subarray(0, length)]) {
          const answer = readImage(bytesSource(cut));
          if (answer.ok) inspectImage(answer.image);
        }
      }),
      { numRuns: 300 },
    );
  });
});
