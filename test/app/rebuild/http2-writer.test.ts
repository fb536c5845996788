import { expect, it } from 'vitest';
import {
  dataFrames,
  hpackInteger,
  lostFrames,
  requestFrames,
  resetFrame,
} from '../../../src/app/rebuild/http2-writer.ts';

it('writes integers as RFC 7541 C.1 has them', () => {
  expect([...hpackInteger(10, 5, 0)]).toEqual([0x0a]);
  expect([...hpackInteger(1337, 5, 0)]).toEqual([0x1f, 0x9a, 0x0a]);
  expect([...hpackInteger(42, 8, 0)]).toEqual([0x2a]);
});

it('writes fields as literals, unknown ones as the index that they had, in their place', () => {
  const head = {
    httpVersion: '2',
    method: 'GET',
    scheme: null,
    authority: null,
    path: null,
    headers: [['a', 'b']],
  } as const;
  const frames = requestFrames(1, { ...head, unknown: [{ index: 62, position: 1 }] });
  expect(frames.toString('latin1')).toBe(
    '\0\0\x13\x01\x04\0\0\0\x01' + '\0\x07:method\x03GET' + '\xbe' + '\0\x01a\x01b',
  );
});

it('cuts bodies and header blocks at 16 KiB', () => {
  expect(dataFrames(1, new Uint8Array(40_000)).length).toBe(40_000 + 3 * 9);
  const headers: [string, string][] = [['a', 'x'.repeat(20_000)]];
  const frames = requestFrames(1, {
    httpVersion: '2',
    method: null,
    scheme: null,
    authority: null,
    path: null,
    headers,
    unknown: [],
  });
  expect([frames[3], frames[4], frames[16_384 + 9 + 3], frames[16_384 + 9 + 4]]).toEqual([1, 0, 9, 4]);
});

it('announces what was lost, and resets', () => {
  expect(lostFrames(3, 20_000).map(({ lostBytes, head }) => [lostBytes, head.readUIntBE(0, 3)])).toEqual([
    [16_384, 16_384],
    [3_616, 3_616],
  ]);
  expect([...resetFrame(3, 8)]).toEqual([0, 0, 4, 3, 0, 0, 0, 0, 3, 0, 0, 0, 8]);
});
