import { describe, expect, it } from 'vitest';
import { machineOf } from '../../../../src/capture/discover/code/machine-of.ts';
import { CODE_ADDRESS, hexBytes, tinyImage } from '../tiny-elf.ts';

describe('the architecture of a program', () => {
  it('decides how its code is read', () => {
    const code = hexBytes('c3 03 5f d6 00 00 00 00 00 00 00 00 00 00 00 00');
    expect(machineOf(tinyImage({ code })).decode(CODE_ADDRESS)?.length).toBe(1);
    expect(machineOf(tinyImage({ code, machine: 183 })).decode(CODE_ADDRESS)?.length).toBe(4);
  });
});
