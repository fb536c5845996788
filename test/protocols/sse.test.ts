import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SSE_LINE_LIMIT_BYTES, type SseEvent, SseParser } from '../../src/protocols/sse.ts';
import { HANG_MS } from '../kit/hang.ts';
import { bytesOf } from '../kit/records.ts';

const RUNS = Number(process.env['TRACER_FUZZ_CASES'] ?? 200);

interface Parsed {
  events: SseEvent[];
  problems: string[];
  parser: SseParser;
}

function parser(): Parsed {
  const events: SseEvent[] = [];
  const problems: string[] = [];
  const host = { event: (event: SseEvent) => events.push(event), problem: (code: string) => problems.push(code) };
  return { events, problems, parser: new SseParser(host) };
}

function parse(...parts: (string | Uint8Array)[]): SseEvent[] {
  const parsed = parser();
  for (const part of parts) parsed.parser.push(bytesOf(part));
  return parsed.events;
}

const event = (data: string, more: Partial<SseEvent> = {}): SseEvent => ({ event: '', data, lastEventId: '', ...more });

describe('SseParser', () => {
  it.each([
    ['LF', 'event: a\ndata: x\n\ndata: y\n\n'],
    ['CR', 'event: a\rdata: x\r\rdata: y\r\r'],
    ['CRLF', 'event: a\r\ndata: x\r\n\r\ndata: y\r\n\r\n'],
    ['a mixture', 'event: a\rdata: x\n\r\ndata: y\r\n\r'],
  ])('reads lines that end with %s', (_, text) => {
    expect(parse(text)).toEqual([event('x', { event: 'a' }), event('y')]);
  });

  it('joins data lines, strips one space, and takes a field without a colon', () => {
    expect(parse('data:  two spaces\ndata\ndata:tight\n\n')).toEqual([event(' two spaces\n\ntight')]);
  });

  it('ignores comments, unknown fields and blocks without data', () => {
    expect(parse(': ping\n\nevent: lonely\n\nfoo: bar\ndata: x\n\n')).toEqual([event('x')]);
  });

  it('keeps the last event id, also from a block without data, and refuses one with NUL', () => {
    expect(parse('id: 1\n\ndata: a\n\nid: 2\0\ndata: b\n\nid\ndata: c\n\n')).toEqual([
      event('a', { lastEventId: '1' }),
      event('b', { lastEventId: '1' }),
      event('c', { lastEventId: '' }),
    ]);
  });

  it('reads retry only when it is digits', () => {
    expect(parse('retry: 1500\ndata: a\n\nretry: 1s\ndata: b\n\n')).toEqual([
      event('a', { retryMs: 1500 }),
      event('b'),
    ]);
  });

  it('ignores one byte order mark and no second one', () => {
    expect(parse('\ufeffdata: a\n\n')).toEqual([event('a')]);
    expect(parse('\ufeff\ufeffdata: a\n\ndata: b\n\n')).toEqual([event('b')]);
  });

  it('drops an event that the body does not finish', () => {
    const { parser: sse, events } = parser();
    sse.push(bytesOf('data: a\n\ndata: b\n'));
    expect(events).toEqual([event('a')]);
    expect(sse.isInEvent).toBe(true);
  });

  const stream = bytesOf(
    '\ufeffid: 7\r\nevent: über\r\ndata: 日本\r\ndata: 🚀 x\r\n\r\n: c\r\ndata: last\r\r\ndata: [DONE]\n\n',
  );

  it('gives the same events when cut at every byte', () => {
    const whole = parse(stream);
    expect(whole.map(({ data }) => data)).toEqual(['日本\n🚀 x', 'last', '[DONE]']);
    for (let at = 0; at <= stream.length; at++)
      expect(parse(stream.subarray(0, at), stream.subarray(at))).toEqual(whole);
    expect(parse(...[...stream].map((byte) => Uint8Array.of(byte)))).toEqual(whole);
  });

  it('agrees with eventsource-parser on ordinary streams', () => {
    const line = fc.oneof(
      fc.string({ maxLength: 12 }).map((text) => `data: ${text.replace(/[\r\n\0]/g, '')}`),
      fc.constantFrom('', 'event: e', ': c', 'data', 'data:x', 'event'),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.constantFrom('\n', '\r\n'), (lines, end) => {
        const text = `${lines.join(end)}${end}${end}`;
        const theirs: [string, string][] = [];
        const oracle = createParser({ onEvent: ({ event: name, data }) => theirs.push([name ?? '', data]) });
        oracle.feed(text);
        expect(parse(text).map(({ event: name, data }) => [name, data])).toEqual(theirs);
      }),
      { numRuns: RUNS },
    );
  });

  it('drops the event that a hole hits and goes on with the next', () => {
    const { parser: sse, events } = parser();
    sse.push(bytesOf('data: a\n\ndata: b1\nda'));
    sse.gap();
    sse.push(bytesOf('nknown\ndata: b2\n\ndata: c\n\n'));
    expect(events).toEqual([event('a'), event('c')]);
  });

  it('does not take the line end right behind a hole for the end of an event', () => {
    const { parser: sse, events } = parser();
    sse.push(bytesOf('data: a'));
    sse.gap();
    sse.push(bytesOf('\ndata: more of the same\n\ndata: c\n\n'));
    expect(events).toEqual([event('c')]);
  });

  it.each([1, 1023, 1024, 1025, 5000])('gives an event of %i data lines as one text, empty lines too', (count) => {
    const { parser: sse, events } = parser();
    const lines = Array.from({ length: count }, (_, at) => (at % 3 === 0 ? '' : `line ${at}`));
    sse.push(bytesOf(`${lines.map((line) => `data:${line}`).join('\n')}\n\ndata: next\n\n`));
    expect(events).toEqual([event(lines.join('\n')), event('next')]);
  });

  it('passes over an endless line within its bound and goes on', () => {
    const { parser: sse, events, problems } = parser();
    const piece = new Uint8Array(1 << 20).fill(0x78);
    sse.push(bytesOf('data: '));
    for (let count = 0; count <= SSE_LINE_LIMIT_BYTES >> 20; count++) sse.push(piece);
    sse.push(bytesOf('\n\ndata: next\n\n'));
    expect(problems).toEqual(['sse.line-too-long']);
    expect(events).toEqual([event('next')]);
  });
});

it('reads lines that end in CR alone as fast as others, however much comes at once', () => {
  const parser = new SseParser({ event: () => {}, problem: () => {} });
  const start = process.cpuUsage();
  parser.push(new Uint8Array(1 << 20).fill(0x0d));
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1000).toBeLessThan(HANG_MS);
});
