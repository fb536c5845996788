import { describe, expect, it } from 'vitest';
import { offsetOf } from '../../../../src/capture/discover/elf.ts';
import { whyNoFunction } from '../../../../src/capture/discover/supplied/offsets.ts';
import { opened } from '../../../kit/binaries/separated.ts';
import { buildStatic } from '../openssl/static-program.ts';
import { CODE_OFFSET, tinyImage } from '../tiny-elf.ts';

describe('offsets given by a person', () => {
  it('are taken at the functions of a real program and nowhere inside them', (context) => {
    const { stripped, symbols } = buildStatic(context, '-O2');
    const { elf } = opened(stripped);
    const offsets = [...symbols].flatMap(([name, address]) =>
      /^(SSL|ssl)_(read|write|peek|free|ctrl)/.test(name) ? [offsetOf(elf, address) ?? 0] : [],
    );
    expect(offsets.length).toBeGreaterThan(10);
    expect(offsets.map((offset) => whyNoFunction(elf, offset)).filter((why) => why !== undefined)).toEqual([]);
    const inside = offsets.flatMap((offset) => [1, 2, 3, 5, 6, 7].map((n) => whyNoFunction(elf, offset + n)));
    expect(inside.filter((why) => why === undefined)).toEqual([]);
    expect(inside).toContain('it lies within an instruction');
    expect(inside).toContain('no function begins there: code runs into it from above');
  });

  it('are refused outside the code, in filling, and where there is no instruction', () => {
    const code = Buffer.alloc(64, 0x90);
    code.set([0xc3, 0x90, 0x55, 0xc3, 0x06], 20);
    const image = tinyImage({ code, data: Buffer.alloc(64) });
    expect(whyNoFunction(image, CODE_OFFSET + 64)).toBe(
      'it lies outside the code (file offsets are wanted, not addresses)',
    );
    expect(whyNoFunction(image, CODE_OFFSET + 21)).toBe('it lies in the filling between functions');
    expect(whyNoFunction(image, CODE_OFFSET + 22)).toBeUndefined();
    expect(whyNoFunction(image, CODE_OFFSET + 24)).toBe('there is no instruction');
  });

  it('are multiples of four on AArch64', () => {
    const code = Buffer.alloc(16);
    code.writeUInt32LE(0xd65f_03c0, 0); // ret
    code.writeUInt32LE(0xa9bf_7bfd, 4); // stp x29, x30, [sp, #-16]!
    const image = tinyImage({ code, machine: 183 });
    expect(whyNoFunction(image, CODE_OFFSET + 4)).toBeUndefined();
    expect(whyNoFunction(image, CODE_OFFSET + 6)).toBe('it lies within an instruction');
  });
});
