import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { FRAME, type FrameFault, type FrameHeader, withoutPadding } from '../../../src/protocols/http2/frame.ts';
import { FrameReader, type FrameSink, MAX_FRAGMENT_BYTES } from '../../../src/protocols/http2/frame-reader.ts';
import { ascii, concat, data, frame, hex } from './kit.ts';

/** Notes everything as one line each. */
class Log implements FrameSink {
  readonly lines: string[] = [];
  frame({ type, flags, stream }: FrameHeader, payload: Uint8Array): void {
    this.lines.push(`frame ${type} ${flags} ${stream} ${Buffer.from(payload).toString('latin1')}`);
  }
  dataBytes({ stream }: FrameHeader, bytes: Uint8Array): void {
    this.lines.push(`data ${stream} ${Buffer.from(bytes).toString('latin1')}`);
  }
  dataLost({ stream }: FrameHeader, lostBytes: number, isAtMost: boolean): void {
    this.lines.push(`lost ${stream} ${isAtMost ? 'at most ' : ''}${lostBytes}`);
  }
  dataEnd({ stream }: FrameHeader): void {
    this.lines.push(`end ${stream}`);
  }
  unreadable({ type, stream }: FrameHeader, why: string): void {
    this.lines.push(`unreadable ${type} ${stream} ${why}`);
  }
  overlong({ type, lenBytes }: FrameHeader): void {
    this.lines.push(`broken ${type} overlong ${lenBytes}`);
  }
  broken({ type }: FrameHeader, { code }: FrameFault): void {
    this.lines.push(`broken ${type} ${code}`);
  }
}

function read(...steps: readonly (Uint8Array | number)[]): string[] {
  const log = new Log();
  const reader = new FrameReader(log, true);
  for (const step of steps) {
    if (typeof step !== 'number') reader.push(step);
    else {
      const beyond = reader.gap(step);
      if (beyond > 0) log.lines.push(`beyond ${beyond}`);
    }
  }
  return log.lines;
}

describe('DATA', () => {
  test('is passed on while it arrives, without its padding', () => {
    const padded = frame(0, 0x9, 3, concat(Uint8Array.of(2), ascii('abcd'), hex('0000')));
    expect(read(padded.subarray(0, 12), padded.subarray(12))).toEqual(['data 3 ab', 'data 3 cd', 'end 3']);
  });

  test('without payload ends at once', () => {
    expect(read(frame(0, 1, 5))).toEqual(['end 5']);
  });

  test('with more padding than payload is broken, and the next frame is read', () => {
    expect(read(hex('00000400080000000104aaaaaa'), data(1, 'ok'))).toEqual([
      'broken 0 h2.padding',
      'data 1 ok',
      'end 1',
    ]);
  });

  test('of the largest size a frame can have is streamed', () => {
    const head = hex('ffffff000000000001');
    const part = new Uint8Array(0xffff).fill(0x61);
    const lines = read(head, ...Array.from({ length: 256 }, () => part), ascii('x'.repeat(255)), data(3, 'next'));
    expect(lines.slice(0, 2)).toEqual(['broken 0 overlong 16777215', `data 1 ${'a'.repeat(0xffff)}`]);
    expect(lines.length).toBe(261);
    expect(lines.slice(-3)).toEqual(['end 1', 'data 3 next', 'end 3']);
  });
});

describe('a hole', () => {
  const body = data(1, '0123456789');
  test('inside a payload costs exactly its bytes', () => {
    expect(read(body.subarray(0, 12), 4, body.subarray(16), data(3, 'x'))).toEqual([
      'data 1 012',
      'lost 1 4',
      'data 1 789',
      'end 1',
      'data 3 x',
      'end 3',
    ]);
  });

  test('to the end of a payload ends the frame', () => {
    expect(read(body.subarray(0, 12), 7, data(3, 'x'))).toEqual([
      'data 1 012',
      'lost 1 7',
      'end 1',
      'data 3 x',
      'end 3',
    ]);
  });

  test('over the end of a frame tells how much lies beyond', () => {
    expect(read(body.subarray(0, 12), 20)).toEqual(['data 1 012', 'lost 1 7', 'end 1', 'beyond 13']);
  });

  test('between frames, or in a header, is all beyond', () => {
    expect(read(body, 5).at(-1)).toBe('beyond 5');
    expect(read(body.subarray(0, 4), 5)).toEqual(['beyond 5']);
  });

  test('that hides the pad length may have cost all of the frame', () => {
    const padded = frame(0, 0x8, 3, concat(Uint8Array.of(2), ascii('abcd'), hex('0000')));
    expect(read(padded.subarray(0, 9), 2, padded.subarray(11), data(5, 'x'))).toEqual([
      'lost 3 at most 6',
      'end 3',
      'data 5 x',
      'end 5',
    ]);
  });

  test('in the padding costs nothing', () => {
    const padded = frame(0, 0x8, 3, concat(Uint8Array.of(2), ascii('abcd'), hex('0000')));
    expect(read(padded.subarray(0, 14), 2, data(5, 'x'))).toEqual(['data 3 abcd', 'end 3', 'data 5 x', 'end 5']);
  });

  test('in a frame that is delivered whole makes just that frame unreadable', () => {
    const headers = frame(1, 4, 1, ascii('0123456789'));
    expect(read(headers.subarray(0, 12), 3, headers.subarray(15), data(1, 'x'))).toEqual([
      'unreadable 1 1 hole',
      'data 1 x',
      'end 1',
    ]);
  });
});

test('unknown types, PING, WINDOW_UPDATE, PRIORITY, ALTSVC, ORIGIN and PRIORITY_UPDATE are stepped over', () => {
  const ignored = [0x2a, 6, 8, 2, 0xa, 0xc, 0x10].map((type) => {
    const size = ({ 6: 8, 8: 4, 2: 5 } as Record<number, number>)[type] ?? 20;
    return frame(type, 0, type === 2 ? 1 : 0, new Uint8Array(size).fill(1));
  });
  expect(read(...ignored, data(1, 'x'))).toEqual(['data 1 x', 'end 1']);
});

test('a header fragment over the limit is reported and stepped over, not held', () => {
  const lines = read(frame(1, 4, 1, new Uint8Array(MAX_FRAGMENT_BYTES + 1)), data(1, 'x'));
  expect(lines).toEqual(['broken 1 overlong 262145', 'unreadable 1 1 size', 'data 1 x', 'end 1']);
});

test('many broken frames in a row are no frames: the rest is given back', () => {
  const log = new Log();
  const rest = new FrameReader(log, true).push(new Uint8Array(9 * 40));
  expect([log.lines.length, rest?.length]).toEqual([32, 9 * 8]);
});

/** Our own set, always run: [name, wire, expected]. */
test.each([
  ['SETTINGS of five octets', '000005040000000000aaaaaaaaaa', 'broken 4 h2.frame-size'],
  ['SETTINGS ACK with a payload', '000006040100000000aaaaaaaaaaaa', 'broken 4 h2.frame-size'],
  ['SETTINGS on a stream', '000000040000000001', 'broken 4 h2.frame-stream'],
  ['PING of seven octets', '00000706000000000000000000000000', 'broken 6 h2.frame-size'],
  ['HEADERS on stream 0', '00000101040000000082', 'broken 1 h2.frame-stream'],
  ['RST_STREAM of three octets', '000003030000000001000000', 'broken 3 h2.frame-size'],
  ['RST_STREAM', '00000403000000000500000008', 'frame 3 0 5 \0\0\0\x08'],
  ['CONTINUATION', '00000109040000000182', 'frame 9 4 1 \x82'],
])('%s', (_, wire, expected) => {
  expect(read(hex(wire), data(1, 'x'))).toEqual([expected, 'data 1 x', 'end 1']);
});

const CASES = fileURLToPath(new URL('../../../../shared/http2-frame-test-case', import.meta.url));
interface FrameCase {
  readonly error: readonly number[] | null;
  readonly wire: string;
  readonly frame: {
    readonly length: number;
    readonly type: number;
    readonly flags: number;
    readonly stream_identifier: number;
    readonly frame_payload: { readonly header_block_fragment?: string; readonly data?: string };
  } | null;
  readonly description: string;
}

/** Errors of the set that concern what a frame says, not its shape; they are judged elsewhere. */
const BEYOND_SHAPE = ['promised_stream', 'window_update-frame-increment'];

describe.skipIf(!existsSync(CASES))('http2jp/http2-frame-test-case (skipped where ../shared is absent)', () => {
  const folders = existsSync(CASES)
    ? readdirSync(CASES, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    : [];
  const files = folders.flatMap(({ name }) =>
    readdirSync(`${CASES}/${name}`).flatMap((file) => (file.endsWith('.json') ? [`${name}/${file}`] : [])),
  );
  test.each(files)('%s', (file) => {
    const { wire, frame: expected, error } = JSON.parse(readFileSync(`${CASES}/${file}`, 'utf8')) as FrameCase;
    const lines = read(hex(wire));
    if (BEYOND_SHAPE.some((part) => file.includes(part))) return;
    if (expected === null || error !== null) return expectRefused(lines, hex(wire));
    const { data: text, header_block_fragment: fragment } = expected.frame_payload;
    if (expected.type === FRAME.data) expect(lines[0]).toBe(`data ${expected.stream_identifier} ${text}`);
    else if (fragment !== undefined) expect(lines.join()).toContain(fragment);
    else expect(lines.filter((line) => line.startsWith('broken'))).toEqual([]);
  });
});

/** A broken header is reported by the reader; broken padding of HEADERS and PUSH_PROMISE shows when it is removed. */
function expectRefused(lines: readonly string[], wire: Uint8Array): void {
  const byReader = lines.some((line) => line.startsWith('broken'));
  const padding = withoutPadding(wire[4] as number, wire.subarray(9));
  expect(byReader || padding === undefined).toBe(true);
}
