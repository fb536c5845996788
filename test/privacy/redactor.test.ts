import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallDeltaEvent, TraceEvent } from '../../src/model/index.ts';
import { createRedactor } from '../../src/privacy/index.ts';
import { call, OTHER_EVENTS, plainCall, summary } from '../sinks/events.ts';
import { anyCanary, CANARIES, ENCODINGS, leakIn } from './canary.ts';

const KEY = new Uint8Array(32).fill(7);
const redactor = () => createRedactor({ key: KEY, reveal: false });

/** Every string field that an event can have is in one of these. */
const FULL_CALL = call({
  path: '/a?b=1',
  request: {
    bytes: 1,
    decodedBytes: 1,
    headers: [['x-note', 'v']],
    trailers: [['x-note', 'v']],
    unknownHeaders: [
      { index: 1, name: 'x-note', value: 'v', position: 0 },
      { index: 2, value: 'v', position: 1 },
    ],
  },
  llm: {
    ...call().llm!,
    thinking: 'hm',
    responseId: 'r',
    alternatives: ['x'],
    other: [{ type: 't', json: { a: ['b', { c: 'd' }] } }],
    error: { code: 'c', message: 'm' },
    request: {
      dialect: 'd',
      model: 'm',
      stream: true,
      messages: [
        {
          role: 'user',
          name: 'n',
          parts: [
            { kind: 'text', text: 't' },
            { kind: 'image', mediaType: 'm', url: 'https://u/' },
            { kind: 'document', mediaType: 'm', name: 'n' },
            { kind: 'thinking', text: 't' },
            { kind: 'tool-call', id: 'i', name: 'n', argumentsText: '{}' },
            { kind: 'tool-result', callId: 'i', parts: [{ kind: 'text', text: 't' }] },
            { kind: 'reference', type: 't', id: 'i', data: { deep: ['x'] } },
            { kind: 'other', type: 't', json: ['x'] },
          ],
        },
      ],
      tools: [{ name: 'n', description: 'd', schema: { properties: { a: { description: 'x' } } }, deferred: false }],
      parameters: { stop: ['x'], user: 'y' },
      previousResponseId: 'p',
      prompt: 'p',
      suffix: 's',
    },
  },
});

const EVENTS: readonly TraceEvent[] = [FULL_CALL, plainCall(), ...OTHER_EVENTS, summary()];

type Path = readonly (string | number)[];

/** Where strings are in an event; keys of objects whose names are data count too. */
function stringPaths(value: unknown, path: Path = []): Path[] {
  if (typeof value === 'string') return [path];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) => stringPaths(inner, [...path, key]));
}

function withString(value: unknown, path: Path, text: string): unknown {
  if (path.length === 0) return text;
  const [key, ...rest] = path;
  const copy: Record<string, unknown> = Array.isArray(value) ? ([...value] as never) : { ...(value as object) };
  copy[key as string] = withString(copy[key as string], rest, text);
  return copy;
}

const UNTOUCHED = ['type', 'time', 'tsNs'];
const PLACES = EVENTS.flatMap((event) =>
  stringPaths(event)
    .filter((path) => !(path.length === 1 && UNTOUCHED.includes(String(path[0]))))
    .map((path) => ({ event, path })),
);

/** All that would reach a sink, as JSON and as the strings themselves. */
function outputOf(events: readonly TraceEvent[]): string {
  const strings = events.flatMap((event) =>
    stringPaths(event).map((path) => path.reduce((v, k) => (v as never)[k], event as unknown)),
  );
  return `${JSON.stringify(events)}\n${strings.join('\n')}`;
}

describe('no secret leaves', () => {
  it('from any string field of any event, for any kind of secret', () => {
    for (const [kind, canaries] of Object.entries(CANARIES)) {
      for (const [i, canary] of fc.sample(canaries, { numRuns: PLACES.length, seed: 1 }).entries()) {
        const { event, path } = PLACES[i]!;
        const text = `see ${canary.text} there`;
        const end = call({ id: 'c3.5' });
        const r = redactor();
        const out = [withString(event, path, text) as TraceEvent, end].flatMap((e) => r.event(e));
        expect({ kind, path, leak: leakIn(outputOf(out), canary.secret) }).toEqual({ kind, path, leak: null });
      }
    }
  });

  it('in any encoding', () => {
    for (const [encoding, encode] of Object.entries(ENCODINGS)) {
      fc.assert(
        fc.property(anyCanary, fc.constantFrom(...PLACES), (plain, { event, path }) => {
          const canary = encode(plain);
          const out = redactor().event(withString(event, path, `see ${canary.text} there`) as TraceEvent);
          const leak = leakIn(outputOf(out), canary.secret);
          expect({ encoding, text: canary.text, path, leak }).toEqual({
            encoding,
            text: canary.text,
            path,
            leak: null,
          });
        }),
        { numRuns: 300 },
      );
    }
  });

  it('in a name: keys of counters, parameters and classes', () => {
    fc.assert(
      fc.property(
        anyCanary.filter((canary) => canary.hasShape),
        (canary) => {
          const counters = { [canary.text]: 1 };
          const out = redactor().event(summary({ counters, callsByClass: counters }));
          expect(leakIn(outputOf(out), canary.secret)).toBeNull();
        },
      ),
    );
  });

  it('as a value of an argument vector behind an option', () => {
    const process = OTHER_EVENTS[0] as Extract<TraceEvent, { type: 'process' }>;
    const args = ['x', '--api-key', 'kq83hf7', '--password=letmein', '-u', 'me:sesame', '--max-tokens', '100', '-v'];
    const [out] = redactor().event({ ...process, args });
    expect(out).toMatchObject({
      args: [
        'x',
        '--api-key',
        expect.stringMatching(/^<secret #[0-9a-f]{8}>$/),
        expect.stringMatching(/^--password=<secret #[0-9a-f]{8}>$/),
        '-u',
        expect.stringMatching(/^<user-info #[0-9a-f]{8}>$/),
        '--max-tokens',
        '100',
        '-v',
      ],
    });
  });
});

const delta = (text: string, kind: CallDeltaEvent['kind'] = 'text'): CallDeltaEvent => ({
  ...(OTHER_EVENTS[3] as CallDeltaEvent),
  kind,
  text,
});

const shownText = (events: readonly TraceEvent[]): string =>
  events.map((event) => (event.type === 'call.delta' ? event.text : '')).join('');

describe('streamed pieces', () => {
  it('show no secret, wherever it is cut in two', () => {
    for (const [kind, canaries] of Object.entries(CANARIES)) {
      const [canary] = fc.sample(canaries, { numRuns: 1, seed: 2 });
      const text = `The value is ${canary!.text}\nand more text follows.`;
      for (let at = 0; at <= text.length; at++) {
        const r = redactor();
        const out = [delta(text.slice(0, at)), delta(text.slice(at)), call()].flatMap((event) => r.event(event));
        const shown = shownText(out);
        expect({ kind, at, leak: leakIn(shown, canary!.secret) }).toEqual({ kind, at, leak: null });
        expect(shown.endsWith('and more text follows.')).toBe(true);
      }
    }
  });

  it('show no secret, however many pieces there are', () => {
    fc.assert(
      fc.property(
        anyCanary,
        fc.constantFrom(...Object.keys(ENCODINGS)),
        fc.integer({ min: 1, max: 9 }),
        (plain, encoding, size) => {
          const canary = ENCODINGS[encoding]!(plain);
          const text = `Here:\n${canary.text}\nand so on`;
          const r = redactor();
          const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
            delta(text.slice(i * size, (i + 1) * size)),
          );
          const out = [...pieces, call()].flatMap((event) => r.event(event));
          expect({ text, leak: leakIn(shownText(out), canary.secret) }).toEqual({ text, leak: null });
        },
      ),
      { numRuns: 500 },
    );
  });

  it('come through whole and in order when they hold no secret', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'word ', 'x = 1; ', '\n', 'password: ', 'token ', '😀', 'the "q" ')),
        (pieces) => {
          const r = redactor();
          const out = [...pieces.map((piece) => delta(piece)), call()].flatMap((event) => r.event(event));
          expect(shownText(out)).toBe(pieces.join(''));
        },
      ),
    );
  });

  it('are held back by a word, not by a line', () => {
    const r = redactor();
    expect(shownText(r.event(delta('Rename foo to b')))).toBe('Rename foo to ');
    expect(shownText(r.event(delta('ar. Then')))).toBe('bar. ');
    expect(shownText(r.event(call()).slice(0, 1))).toBe('Then');
  });

  it('of text, thinking and tool calls do not mix', () => {
    const r = redactor();
    const out = [delta('gho_', 'text'), delta('hm', 'thinking'), delta('abcdefghijklmnop1234', 'text'), call()].flatMap(
      (e) => r.event(e),
    );
    const texts = out.map((event) => (event.type === 'call.delta' ? [event.kind, event.text] : null));
    expect(texts).toEqual([['text', expect.stringMatching(/^<github-token #[0-9a-f]{8}>$/)], ['thinking', 'hm'], null]);
  });

  it('without a break are replaced once they are too long to hold', () => {
    const r = redactor();
    const shown: string[] = [];
    for (let i = 0; i < 40; i++) shown.push(shownText(r.event(delta('Q7'.repeat(512)))));
    shown.push(shownText(r.event(delta('Q7 and on'))), shownText(r.event(call())));
    expect(shown.join('')).toMatch(/^<held-text #[0-9a-f]{8}> and on$/);
  });

  it('of an endless private key are swallowed up to its end', () => {
    const r = redactor();
    const block = `-----BEGIN RSA PRIVATE KEY-----\n${'Zk3qLm9x\n'.repeat(4_000)}-----END RSA PRIVATE KEY-----`;
    const pieces = Array.from({ length: Math.ceil(block.length / 100) }, (_, i) =>
      delta(block.slice(i * 100, i * 100 + 100)),
    );
    const shown = shownText([delta('Key: '), ...pieces, delta(' done'), call()].flatMap((e) => r.event(e)));
    expect(shown).toMatch(/^Key: <private-key #[0-9a-f]{8}> done$/);
  });
});

describe('what a reader still sees', () => {
  it('the scheme, the kind and a fingerprint that equal secrets share', () => {
    const r = redactor();
    const token = 'tid=abcdef;exp=1;sku=free:0123456789abcdef';
    const [[, first]] = r.headers([['authorization', `Bearer ${token}`]]) as [[string, string]];
    expect(first).toMatch(/^Bearer <copilot-token #[0-9a-f]{8}>$/);
    expect(r.text(`it was "${token}"`)).toBe(`it was "${first.slice(7)}"`);
    expect(createRedactor({ key: new Uint8Array(32), reveal: false }).text(token)).not.toBe(first.slice(7));
  });

  it('an event without secrets, unchanged', () => {
    for (const event of [call(), plainCall(), ...OTHER_EVENTS.filter((e) => e.type !== 'call.delta'), summary()]) {
      expect(redactor().event(event)).toEqual([event]);
    }
  });

  it('a value of any shape, by the names in it', () => {
    const value = { model: 'ghp_abcdefghijklmnop1234', counts: [1, null, { at: 'tool run' }], path: '/?sid=abc' };
    const text = JSON.stringify(redactor().value(value));
    expect(text.replace(/ #[0-9a-f]{8}>/g, '>')).toBe(
      '{"model":"<github-token>","counts":[1,null,{"at":"tool run"}],"path":"/?sid=<secret>"}',
    );
  });

  it('everything, when the user asked for it', () => {
    const r = createRedactor({ key: KEY, reveal: true });
    const event = delta('gho_abcdefghijklmnop1234');
    expect(r.event(event)).toEqual([event]);
    expect(r.text('gho_abcdefghijklmnop1234')).toBe('gho_abcdefghijklmnop1234');
  });
});

it('bears structures of any depth', () => {
  let json: unknown = 'gho_abcdefghijklmnop1234';
  for (let i = 0; i < 500; i++) json = [json];
  const [out] = redactor().event(call({ llm: { ...call().llm!, other: [{ type: 't', json }] } }));
  expect(JSON.stringify(out)).not.toContain('abcdefghijkl');
});
