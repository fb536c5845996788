import { describe, expect, it } from 'vitest';
import { machineX86 } from '../../../../src/capture/discover/code/machine-x86.ts';
import { CODE_ADDRESS, hexBytes, tinyImage } from '../tiny-elf.ts';

const machine = (hex: string) => machineX86(tinyImage({ code: hexBytes(hex) }));
const sixteen = (tail: string): string => `${'55 '.repeat(16 - tail.split(' ').length)}${tail}`;

describe('x86-64 functions', () => {
  it.each([
    ['cc', true],
    ['c3', true],
    ['0f 0b', true],
    ['66 90', true],
    ['0f 1f 00', true],
    ['0f 1f 84 00 00 00 00 00', true],
    ['e8 01 02 03 04', true],
    ['eb 05', true],
    ['48 89 fb', false],
  ])('behind %s one can begin: %s', (tail, expected) => {
    expect(machine(`${sixteen(tail)} 90`).hasPaddingBefore(CODE_ADDRESS + 16)).toBe(expected);
  });

  it.each([
    ['f3 0f 1e fa 31 c0', [true, true]],
    ['55 48 89 e5', [true, true]],
    ['41 57', [true, true]],
    ['48 83 ec 18', [true, true]],
    ['48 8b 47 30', [true, false]],
    ['e8 00 00 00 00', [false, false]],
  ])('%s looks like an entry, also strictly: %j', (code, expected) => {
    const m = machine(`${code} ${'00 '.repeat(16)}`);
    expect([m.looksLikeEntry(CODE_ADDRESS, false), m.looksLikeEntry(CODE_ADDRESS, true)]).toEqual(expected);
  });

  it('looks through thunks', () => {
    // endbr64; jmp +3 → 12: jmp +1 → 18
    const m = machine('f3 0f 1e fa e9 03 00 00 00 cc cc cc e9 01 00 00 00 cc c3 cc');
    expect(m.throughThunk(CODE_ADDRESS) - CODE_ADDRESS).toBe(18);
    expect(m.throughThunk(CODE_ADDRESS + 18) - CODE_ADDRESS).toBe(18);
  });

  it('decodes up to the last byte of the code, and not beyond', () => {
    const m = machine('90 90 c3');
    expect(m.decode(CODE_ADDRESS + 2)?.length).toBe(1);
    expect(m.decode(CODE_ADDRESS + 3)).toBeUndefined();
    expect(m.decode(CODE_ADDRESS)?.isNop).toBe(true);
  });
});
