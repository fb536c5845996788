import { describe, expect, it } from 'vitest';
import { attachOffset, isCheapPlace } from '../../../src/capture/discover/attach-point.ts';
import { CODE_OFFSET, hexBytes, tinyImage } from './tiny-elf.ts';

const moved = (code: string, machine: 62 | 183 = 62): number =>
  attachOffset(tinyImage({ code: hexBytes(`${code} 00 00 00 00`), machine }), CODE_OFFSET) - CODE_OFFSET;

describe('the place of a probe', () => {
  it.each([
    ['f3 0f 1e fa 55 48 89 e5', 4, 'endbr64, push rbp'],
    ['f3 0f 1e fa 41 57', 4, 'endbr64, push r15'],
    ['f3 0f 1e fa 0f 1f 44 00 00', 4, 'endbr64, the nop of a patchable function'],
    ['f3 0f 1e fa 48 83 ec 18', 0, 'endbr64, sub rsp: not emulated either, so nothing is gained'],
    ['55 48 89 e5', 0, 'push'],
    ['48 83 ec 18', 0, 'sub rsp'],
  ])('%s: %d bytes in (%s)', (code, offset) => {
    expect(moved(code)).toBe(offset);
  });

  it.each([
    ['55', true],
    ['41 54', true],
    ['48 83 ec 18', false],
    ['f3 0f 1e fa', false],
  ])('is cheap or not by its first instruction: %s', (code, isCheap) => {
    expect(isCheapPlace(tinyImage({ code: hexBytes(`${code} 00 00 00 00`), machine: 62 }), CODE_OFFSET)).toBe(isCheap);
  });

  it('is the entry on other machines', () => {
    expect(moved('f3 0f 1e fa 55', 183)).toBe(0);
  });
});
