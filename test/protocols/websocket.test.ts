import { constants, deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Dir } from '../../src/model/index.ts';
import { openWebSocket, type ProtocolParser, type ProtoEvent } from '../../src/protocols/index.ts';
import { INFLATED_FREE_BYTES } from '../../src/protocols/websocket-messages.ts';
import { bytesOf } from '../kit/records.ts';
import { compressor, frame } from '../kit/websocket.ts';

const OPEN = { client: 'out', stream: 1, extensions: undefined } as const;
const DEFLATE = 'permessage-deflate; server_max_window_bits=15';

function open(extensions?: string): { parser: ProtocolParser; events: ProtoEvent[] } {
  const events: ProtoEvent[] = [];
  const emit = (event: ProtoEvent): unknown =>
    events.push('bytes' in event ? { ...event, bytes: event.bytes.slice() } : event);
  return { parser: openWebSocket({ emit, outWhole: true, inWhole: true }, { ...OPEN, extensions }), events };
}

const texts = (events: readonly ProtoEvent[]): string[] =>
  events.flatMap((event) =>
    event.type === 'message' ? [`${event.side}:${event.binary ? `<${event.bytes.length}>` : event.text}`] : [],
  );
const codes = (events: readonly ProtoEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'wire-error' ? [event.code] : []));

function feed(parser: ProtocolParser, dir: Dir, ...frames: Uint8Array[]): void {
  for (const bytes of frames) parser.data(dir, bytes, 0n);
}

const withBits = (bytes: Uint8Array, bits: number): Uint8Array =>
  Uint8Array.from(bytes, (byte, at) => (at === 0 ? byte | bits : byte));

describe('WebSocket', () => {
  it('unmasks the client and reads the server as it is', () => {
    const { parser, events } = open();
    feed(parser, 'out', frame(1, 'hello', { mask: true }));
    feed(parser, 'in', frame(1, 'wörld'), frame(2, Uint8Array.of(1, 2, 3)), frame(1, ''));
    expect(texts(events)).toEqual(['request:hello', 'response:wörld', 'response:<3>', 'response:']);
  });

  it.each([125, 126, 65_535, 65_536, 300_000])('reads a payload of %i bytes', (size) => {
    const { parser, events } = open();
    feed(parser, 'out', frame(1, 'x'.repeat(size), { mask: true }));
    expect(texts(events)[0]?.length).toBe(size + 'request:'.length);
  });

  it('joins fragments with control frames between them', () => {
    const { parser, events } = open();
    feed(
      parser,
      'in',
      frame(1, 'one ', { fin: false }),
      frame(9, 'ping'),
      frame(0, 'two ', { fin: false }),
      frame(10, ''),
      frame(0, 'three'),
    );
    expect(texts(events)).toEqual(['response:one two three']);
  });

  it('reports the close code and reads nothing behind it', () => {
    const { parser, events } = open();
    feed(parser, 'in', frame(8, Uint8Array.of(0x03, 0xe8, 0x62, 0x79, 0x65)), frame(1, 'after'));
    feed(parser, 'out', frame(8, '', { mask: true }));
    expect(events).toEqual([
      { type: 'close-code', stream: 1, side: 'response', code: 1000 },
      { type: 'side-end', stream: 1, side: 'response' },
      { type: 'close-code', stream: 1, side: 'request', code: 1005 },
      { type: 'side-end', stream: 1, side: 'request' },
    ]);
  });

  it('inflates with context takeover', () => {
    const { parser, events } = open(DEFLATE);
    const deflate = compressor(true);
    const first = frame(1, deflate('{"a":"a long enough text to refer to"}'), { rsv1: true });
    const second = frame(1, deflate('{"a":"a long enough text to refer to"}'), { rsv1: true });
    expect(second.length).toBeLessThan(first.length / 2);
    feed(parser, 'in', first, frame(1, 'plain between'), second);
    expect(texts(events)).toEqual([
      'response:{"a":"a long enough text to refer to"}',
      'response:plain between',
      'response:{"a":"a long enough text to refer to"}',
    ]);
    expect(codes(events)).toEqual([]);
  });

  it('inflates without context takeover, and the sides differ as agreed', () => {
    const { parser, events } = open('permessage-deflate; server_no_context_takeover; client_max_window_bits=10');
    const server = compressor(false);
    const client = compressor(true);
    feed(
      parser,
      'in',
      frame(1, server('same same same'), { rsv1: true }),
      frame(1, server('same same same'), { rsv1: true }),
    );
    feed(
      parser,
      'out',
      frame(1, client('abcabcabc'), { rsv1: true, mask: true }),
      frame(1, client('abcabcabc'), { rsv1: true, mask: true }),
    );
    expect(texts(events)).toEqual([
      'response:same same same',
      'response:same same same',
      'request:abcabcabc',
      'request:abcabcabc',
    ]);
  });

  it('inflates a message that is cut into fragments, and one that ends with a final block', () => {
    const { parser, events } = open(DEFLATE);
    const coded = compressor(true)('fragmented and compressed');
    feed(parser, 'in', frame(1, coded.subarray(0, 5), { rsv1: true, fin: false }), frame(0, coded.subarray(5)));
    const final = Buffer.concat([deflateRawSync('ends with BFINAL'), Buffer.from([0])]);
    feed(parser, 'in', frame(1, final, { rsv1: true }));
    expect(texts(events)).toEqual(['response:fragmented and compressed', 'response:ends with BFINAL']);
  });

  it('gives the same messages however it is cut', () => {
    const deflate = compressor(true);
    const wire = Buffer.concat([
      frame(1, 'plain', { mask: true }),
      frame(1, deflate('compressed ü'), { rsv1: true, mask: true, fin: false }),
      frame(9, 'p', { mask: true }),
      frame(0, '', { mask: true }),
      frame(2, 'x'.repeat(70_000), { mask: true }),
    ]);
    const expected = ['request:plain', 'request:compressed ü', 'request:<70000>'];
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9000 }), { minLength: 1, maxLength: 9 }), (sizes) => {
        const { parser, events } = open(DEFLATE);
        for (let at = 0, index = 0; at < wire.length; index++) {
          const size = sizes[index % sizes.length]!;
          feed(parser, 'out', wire.subarray(at, at + size));
          at += size;
        }
        expect(texts(events)).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });

  it('does not give out text that is not UTF-8', () => {
    const { parser, events } = open();
    feed(parser, 'in', frame(1, Uint8Array.of(0xc3, 0x28)), frame(1, 'next'));
    expect(codes(events)).toEqual(['ws.utf8']);
    expect(texts(events)).toEqual(['response:next']);
  });

  it('spoils only the message that a hole inside a payload hits', () => {
    const { parser, events } = open();
    const hit = frame(1, '0123456789');
    feed(parser, 'in', frame(1, 'before'), hit.subarray(0, 5));
    parser.gap('in', 4, 0n);
    feed(parser, 'in', hit.subarray(9), frame(1, 'after'));
    expect(texts(events)).toEqual(['response:before', 'response:after']);
    expect(events).toContainEqual({ type: 'body-gap', stream: 1, side: 'response', lostBytes: 4 });
  });

  it('reads no compressed message behind a hole in a shared context, but uncompressed ones', () => {
    const { parser, events } = open(DEFLATE);
    const deflate = compressor(true);
    const hit = frame(1, deflate('the first message'), { rsv1: true });
    feed(parser, 'in', hit.subarray(0, 5));
    parser.gap('in', hit.length - 5, 0n);
    feed(parser, 'in', frame(1, deflate('the first message'), { rsv1: true }), frame(1, 'plain'));
    expect(texts(events)).toEqual(['response:plain']);
  });

  it('gives a direction up when a hole hits a frame head, and the exchange when both are gone', () => {
    const { parser, events } = open();
    parser.gap('in', 1, 0n);
    feed(parser, 'in', frame(1, 'unreadable'));
    feed(parser, 'out', frame(1, 'still read', { mask: true }));
    expect(texts(events)).toEqual(['request:still read']);
    expect(codes(events)).toEqual(['ws.direction-lost']);
    parser.gap('out', 1, 0n);
    expect(events.at(-1)).toEqual({ type: 'lost', stream: 1 });
  });

  it.each([
    ['an unmasked frame of the client', 'out', frame(1, 'x')],
    ['a masked frame of the server', 'in', frame(1, 'x', { mask: true })],
    ['a reserved opcode', 'in', frame(3, 'x')],
    ['RSV1 without agreement', 'in', frame(1, 'x', { rsv1: true })],
    ['RSV2', 'in', withBits(frame(1, 'x'), 0x20)],
    ['RSV3', 'in', withBits(frame(2, 'x'), 0x10)],
    ['RSV1 in a ping', 'in', frame(9, 'x', { rsv1: true })],
    ['a continuation of nothing', 'in', frame(0, 'x')],
    ['a cut ping', 'in', frame(9, 'x', { fin: false })],
  ] as const)('reports %s and stops reading that direction', (_, dir, bytes) => {
    const { parser, events } = open();
    feed(parser, dir, bytes);
    expect(codes(events)).toEqual(['ws.frame', 'ws.direction-lost']);
  });

  it.each([DEFLATE, 'permessage-deflate; server_no_context_takeover'])(
    'stops inflating for good what inflates to more than anything honest, and reads the rest: %s',
    (extensions) => {
      const { parser, events } = open(extensions);
      const zeros = Buffer.alloc(INFLATED_FREE_BYTES / 4);
      const small = deflateRawSync(zeros, { level: 9, finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4);
      for (let count = 0; count < 8; count++) feed(parser, 'in', frame(2, small, { rsv1: true }));
      feed(parser, 'in', frame(1, 'plain'));
      expect(codes(events)).toEqual(['ws.bomb']);
      expect(texts(events)).toEqual([...Array(4).fill(`response:<${zeros.length}>`), 'response:plain']);
    },
  );

  it('passes over a message that inflates beyond the limit and reads the next', () => {
    const { parser, events } = open(DEFLATE);
    const huge = deflateRawSync(Buffer.alloc(40_000_000), { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4);
    feed(parser, 'in', frame(1, huge, { rsv1: true }), frame(1, 'next'));
    expect(codes(events)).toEqual(['ws.message-too-large']);
    expect(texts(events)).toEqual(['response:next']);
  });

  it('never throws on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.boolean(), (bytes, compressed) => {
        const { parser } = open(compressed ? DEFLATE : undefined);
        feed(parser, 'out', bytes);
        feed(parser, 'in', bytes);
        parser.gap('in', 3, 0n);
        feed(parser, 'in', bytes);
      }),
      { numRuns: Number(process.env['TRACER_FUZZ_CASES'] ?? 300) },
    );
  });

  it('takes the client from its argument', () => {
    const events: ProtoEvent[] = [];
    const parser = openWebSocket(
      { emit: (event) => events.push(event), outWhole: true, inWhole: true },
      { ...OPEN, client: 'in' },
    );
    parser.data('in', frame(1, bytesOf('q'), { mask: true }), 0n);
    expect(texts(events)).toEqual(['request:q']);
  });
});
