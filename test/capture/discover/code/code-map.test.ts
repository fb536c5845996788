import { describe, expect, it } from 'vitest';
import { CodeMap } from '../../../../src/capture/discover/code/code-map.ts';
import { CODE_ADDRESS, tinyImage } from '../tiny-elf.ts';

describe('the map of code', () => {
  it('wants the pages before each place, not those between', () => {
    const map = new CodeMap(tinyImage({ code: new Uint8Array(0x40000) }));
    map.focus([CODE_ADDRESS + 0x8000, CODE_ADDRESS + 0x30000]);
    const wanted = [0x4000, 0x8000, 0x8fff, 0x9000, 0x20000, 0x30000, 0x31000].map((at) =>
      map.isWanted(CODE_ADDRESS + at),
    );
    expect(wanted).toEqual([true, true, true, false, false, true, false]);
  });

  it('keeps each source once', () => {
    const map = new CodeMap(tinyImage({}));
    for (let i = 0; i < 2; i++) {
      map.addCall(1, 2);
      map.addJump(1, { from: 3, isConditional: false });
    }
    expect([map.calls.get(1), map.jumps.get(1)?.length]).toEqual([[2], 1]);
  });
});
