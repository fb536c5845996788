import { describe, expect, it } from 'vitest';
import { parseFrameHead } from '../../src/protocols/websocket-frame.ts';
import { frame } from '../kit/websocket.ts';

describe('parseFrameHead', () => {
  it.each([0, 125, 126, 65_535, 65_536])('reads a payload length of %i and waits for a cut head', (size) => {
    for (const mask of [false, true]) {
      const bytes = frame(2, new Uint8Array(size), { mask, fin: false });
      const headBytes = bytes.length - size;
      expect(parseFrameHead(bytes)).toEqual({
        isFinal: false,
        isCompressed: false,
        isExtended: false,
        opcode: 2,
        isMasked: mask,
        lenBytes: size,
        headBytes,
      });
      for (let cut = 0; cut < headBytes; cut++) expect(parseFrameHead(bytes.subarray(0, cut))).toBeUndefined();
    }
  });

  it('reads a length that no number can hold as infinite', () => {
    expect(parseFrameHead(Uint8Array.of(0x82, 127, 0x7f, 0xff, 0, 0, 0, 0, 0, 0))?.lenBytes).toBe(
      Number.POSITIVE_INFINITY,
    );
  });
});
