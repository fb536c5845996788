import { describe, expect, it } from 'vitest';
import { machineA64 } from '../../../../src/capture/discover/code/machine-a64.ts';
import { CODE_ADDRESS, tinyImage } from '../tiny-elf.ts';

function machine(...words: number[]) {
  return machineA64(tinyImage({ machine: 183, code: new Uint8Array(Uint32Array.from(words).buffer) }));
}

describe('AArch64 functions', () => {
  it.each([
    [0xd65f03c0, true],
    [0x14000001, true],
    [0xd503201f, true],
    [0xd4200020, true],
    [0, true],
    [0x94000001, false],
    [0xaa0003e1, false],
  ])('behind %i one can begin: %s', (word, expected) => {
    expect(machine(word, 0xd503201f).hasPaddingBefore(CODE_ADDRESS + 4)).toBe(expected);
  });

  it.each([
    [0xa9be7bfd, true],
    [0xd10083ff, true],
    [0xd503233f, true],
    [0xaa0003e1, false],
  ])('%i looks like an entry: %s', (word, expected) => {
    expect(machine(word).looksLikeEntry(CODE_ADDRESS, false)).toBe(expected);
  });

  it('looks through thunks, and decodes nothing outside the code', () => {
    const m = machine(0xd503245f, 0x14000002, 0, 0xd65f03c0);
    expect(m.throughThunk(CODE_ADDRESS) - CODE_ADDRESS).toBe(12);
    expect(m.decode(CODE_ADDRESS + 12)?.length).toBe(4);
    expect([m.decode(CODE_ADDRESS + 8), m.decode(CODE_ADDRESS + 16)]).toEqual([undefined, undefined]);
  });
});
