import { expect, test } from 'vitest';
import {
  checkFrameHeader,
  FRAME,
  isConforming,
  newFrameHeader,
  readFrameHeader,
  readUint31,
  readUint32,
  withoutPadding,
} from '../../../src/protocols/http2/frame.ts';
import { hex } from './kit.ts';

const parse = (text: string) => {
  const header = newFrameHeader();
  readFrameHeader(hex(text), 0, header);
  return header;
};

test('a header has length, type, flags, reserved bit and stream', () => {
  expect(parse('ffffff0125ffffffff')).toEqual({
    lenBytes: 0xffffff,
    type: 1,
    flags: 0x25,
    stream: 0x7fffffff,
    reserved: true,
  });
  expect(parse('000004030000000005')).toEqual({ lenBytes: 4, type: 3, flags: 0, stream: 5, reserved: false });
});

test('integers are unsigned', () => {
  expect(readUint32(hex('ffffffff'), 0)).toBe(4_294_967_295);
  expect(readUint31(hex('80000001'), 0)).toBe(1);
});

test('a broken rule names the section', () => {
  expect(checkFrameHeader(parse('000005040000000000'))).toEqual({
    code: 'h2.frame-size',
    detail: 'SETTINGS of 5 octets on stream 0',
    spec: 'RFC 9113 §6.5',
  });
  expect(checkFrameHeader(parse('000001000000000000'))?.code).toBe('h2.frame-stream');
  expect(checkFrameHeader(parse('000001770000000000'))).toBeUndefined();
});

test('conforming is a known type with defined flags and a clear reserved bit', () => {
  expect(isConforming(parse('000001000100000001'))).toBe(true);
  expect(isConforming(parse('000001000200000001'))).toBe(false);
  expect(isConforming(parse('000001000180000001'))).toBe(false);
  expect(isConforming({ ...newFrameHeader(), type: FRAME.priorityUpdate, lenBytes: 5 })).toBe(true);
});

test('padding is removed, or refused when it is as long as the payload', () => {
  expect(withoutPadding(0x8, hex('0161ff'))).toEqual(hex('61'));
  expect(withoutPadding(0x8, hex('0261ff'))).toEqual(hex(''));
  expect(withoutPadding(0x8, hex('0361ff'))).toBeUndefined();
  expect(withoutPadding(0, hex('0361ff'))).toEqual(hex('0361ff'));
});
