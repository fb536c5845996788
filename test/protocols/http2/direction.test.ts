import { expect, test } from 'vitest';
import { Direction, type DirectionSink } from '../../../src/protocols/http2/direction.ts';
import { ascii, concat, data, frame, GET, headers, hex, PREFACE, settings } from './kit.ts';

/** Notes what a direction tells, one line each. */
function listen(isWhole: boolean): { direction: Direction; lines: string[] } {
  const lines: string[] = [];
  const sink: DirectionSink = {
    preface: () => lines.push('preface'),
    headers: (_, { stream, endStream, isLate, block }) =>
      lines.push(`headers ${stream} ${endStream} ${isLate} ${block.fields.length}`),
    headersLost: (_, stream, promised, endStream) => lines.push(`headers-lost ${stream} ${promised} ${endStream}`),
    dataBytes: (_, stream, bytes) => lines.push(`data ${stream} ${Buffer.from(bytes)}`),
    dataLost: (_, stream, lostBytes) => lines.push(`lost ${stream} ${lostBytes}`),
    dataEnd: (_, stream) => lines.push(`end ${stream}`),
    reset: (_, stream, code) => lines.push(`reset ${stream} ${code}`),
    goaway: (_, last, code) => lines.push(`goaway ${last} ${code}`),
    settings: (_, payload) => lines.push(`settings ${payload.length}`),
    settingsAck: () => lines.push('ack'),
    settingsLost: () => lines.push('settings-lost'),
    hole: (_, lostBytes) => lines.push(`hole ${lostBytes}`),
    fault: (_, { code }) => lines.push(code),
    giveUp: (reason) => lines.push(reason),
  };
  return { direction: new Direction('out', isWhole, sink), lines };
}

test('the client starts with the preface, whatever the split', () => {
  const { direction, lines } = listen(true);
  direction.push(PREFACE.subarray(0, 7));
  direction.push(concat(PREFACE.subarray(7), settings([1, 2])));
  direction.push(headers(1, GET, 5));
  expect(lines).toEqual(['preface', 'settings 6', 'headers 1 true false 4']);
});

test('a broken preface is reported, and the next frames are found', () => {
  const { direction, lines } = listen(true);
  direction.push(ascii('PRI * HTTP/9.9\r\n\r\nSM\r\n\r\n'));
  direction.push(headers(1, GET, 5));
  expect(lines).toEqual(['h2.preface', 'settings-lost', 'h2.resync', 'hole 13', 'headers 1 true true 4']);
});

test('what is no frame after a resynchronisation starts the search again', () => {
  const { direction, lines } = listen(false);
  direction.push(concat(data(3, 'c'), frame(6, 0, 0, hex('0102030405060708')), ascii('this is not a frame')));
  direction.push(data(5, 'd'));
  expect(lines.slice(-7)).toEqual([
    'data 3 c',
    'h2.framing',
    'settings-lost',
    'hole 0',
    'h2.resync',
    'hole 19',
    'data 5 d',
  ]);
});

test('a hole in a header block loses it; CONTINUATION after it is not taken for a block', () => {
  const { direction, lines } = listen(true);
  direction.push(settings());
  const first = frame(1, 1, 1, GET.subarray(0, 4));
  direction.push(first.subarray(0, 10));
  direction.gap(3);
  direction.push(concat(frame(9, 4, 1, GET.subarray(4)), headers(3, GET, 5)));
  expect(lines).toEqual(['settings 0', 'headers-lost 1 undefined true', 'headers 3 true true 4']);
});

test('a reset whose code is lost is a reset all the same', () => {
  const { direction, lines } = listen(true);
  direction.push(concat(settings(), hex('000004030000000005')));
  direction.gap(4);
  direction.push(frame(7, 0, 0, hex('0000000700000000')));
  expect(lines).toEqual(['settings 0', 'reset 5 undefined', 'goaway 7 0']);
});

test('a direction without any frame boundary is given up', () => {
  const { direction, lines } = listen(false);
  const noise = new Uint8Array(1 << 20).fill(0x61);
  for (let n = 0; n < 18; n++) direction.push(noise);
  expect(lines).toContain('no frame boundary found');
});
