// Laws of every dialect: nothing throws, cut and mutated input gives what is decodable, and how a text was split into
// deltas does not change what it is joined to.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DIALECTS, readJson } from '../../src/dialects/index.ts';
import { stream } from './feed.ts';

type Wire = (pieces: readonly string[]) => unknown[];

/** How each dialect sends a text in pieces, with its proper end. */
const TEXT: Readonly<Record<string, Wire>> = {
  'openai-chat': (pieces) => [...pieces.map((content) => ({ choices: [{ index: 0, delta: { content } }] })), '[DONE]'],
  nes: (pieces) => [...pieces.map((content) => ({ choices: [{ index: 0, delta: { content } }] })), '[DONE]'],
  'openai-completions': (pieces) => [...pieces.map((text) => ({ choices: [{ index: 0, text }] })), '[DONE]'],
  'openai-responses': (pieces) => [
    ...pieces.map((delta) => ({ type: 'response.output_text.delta', output_index: 0, delta })),
    {
      type: 'response.completed',
      response: { output: [{ type: 'message', content: [{ type: 'output_text', text: pieces.join('') }] }] },
    },
  ],
  'anthropic-messages': (pieces) => [
    ...pieces.map((text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
    { type: 'message_stop' },
  ],
  gemini: (pieces) => [
    ...pieces.map((text) => ({ candidates: [{ content: { parts: [{ text }] } }] })),
    { candidates: [{ finishReason: 'STOP' }] },
  ],
  ollama: (pieces) => [
    ...pieces.map((content) => ({ message: { content }, done: false })),
    { message: {}, done: true },
  ],
};

/** How the dialects that stream arguments send those of one call. */
const ARGUMENTS: Readonly<Record<string, Wire>> = {
  'openai-chat': (pieces) =>
    ['', ...pieces].map((text, at) => ({
      choices: [
        {
          index: 0,
          delta: {
            tool_calls: [
              {
                index: 0,
                ...(at === 0 ? { id: 'c' } : {}),
                function: { ...(at === 0 ? { name: 'f' } : {}), arguments: text },
              },
            ],
          },
        },
      ],
    })),
  'openai-responses': (pieces) => [
    { type: 'response.output_item.added', output_index: 3, item: { type: 'function_call', call_id: 'c', name: 'f' } },
    ...pieces.map((delta) => ({ type: 'response.function_call_arguments.delta', output_index: 3, delta })),
  ],
  'anthropic-messages': (pieces) => [
    { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'c', name: 'f', input: {} } },
    ...pieces.map((partial_json) => ({
      type: 'content_block_delta',
      index: 1,
      delta: { type: 'input_json_delta', partial_json },
    })),
  ],
};

const pieces = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }), { maxLength: 12 });

describe.each(Object.entries(TEXT))('%s', (name, wire) => {
  it('joins a text that was split anywhere to the same text', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const { reply, streamed } = stream(name, wire(parts));
        expect(reply).toMatchObject({ text: parts.join(''), complete: true });
        expect(streamed).toBe(parts.join(''));
      }),
      { numRuns: 50 },
    );
  });

  it('survives messages that are dropped, repeated, swapped, cut or mutated, and keeps its bounds', () => {
    const disorder = fc.array(
      fc.tuple(fc.nat(), fc.nat(), fc.string({ maxLength: 4 }), fc.constantFrom('whole', 'cut', 'mutated')),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(pieces, disorder, (parts, picks) => {
        const messages = [...wire(parts), ...(ARGUMENTS[name]?.(parts) ?? [])].map((message) =>
          typeof message === 'string' ? message : JSON.stringify(message),
        );
        const sent = picks.map(([which, at, noise, how]) => {
          const text = messages[which % messages.length] ?? '';
          const where = at % (text.length + 1);
          if (how === 'whole') return text;
          return how === 'cut' ? text.slice(0, where) : text.slice(0, where) + noise + text.slice(where + noise.length);
        });
        const { reply } = stream(name, sent, false);
        expect(() => JSON.stringify(reply)).not.toThrow();
        expect(typeof reply.text).toBe('string');
      }),
      { numRuns: 100 },
    );
  });
});

describe.each(Object.entries(ARGUMENTS))('%s', (name, wire) => {
  it('joins arguments that were split anywhere', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        expect(stream(name, wire(parts)).reply.toolCalls).toEqual([
          { id: 'c', name: 'f', argumentsText: parts.join('') },
        ]);
      }),
      { numRuns: 50 },
    );
  });
});

describe.each(DIALECTS.map((dialect) => [dialect.name, dialect] as const))('%s', (_name, dialect) => {
  const members = [
    'messages',
    'input',
    'inputs',
    'contents',
    'system',
    'tools',
    'prompt',
    'suffix',
    'content',
    'role',
    'parts',
    'type',
    'tool_calls',
    'model',
  ];
  const shaped = fc.dictionary(
    fc.constantFrom(...members),
    fc.oneof(fc.jsonValue(), fc.array(fc.dictionary(fc.constantFrom(...members), fc.jsonValue()))),
  );

  it('decodes any JSON as a request and as an answer without throwing', () => {
    fc.assert(
      fc.property(fc.oneof(shaped, fc.jsonValue()), fc.nat(), (json, at) => {
        const text = JSON.stringify(json);
        const cut = text.slice(0, at % (text.length + 1));
        for (const version of [text, cut]) {
          const request = dialect.request(readJson(version).value, '/x');
          expect(() => JSON.stringify(request)).not.toThrow();
          const decoder = dialect.reply();
          decoder.json(version);
          decoder.message({ event: 'x', data: version });
          expect(() => JSON.stringify(decoder.end(true))).not.toThrow();
          expect(dialect.score({ path: null, headers: [], body: json, reply: json })).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('takes JSON of 100 000 levels', () => {
    const deep = `{"messages":${'[{"content":'.repeat(50_000)}`;
    expect(() => JSON.stringify(dialect.request(readJson(deep).value, null))).not.toThrow();
    const decoder = dialect.reply();
    decoder.message({ event: '', data: `{"choices":${'['.repeat(100_000)}` });
    decoder.json(deep);
    expect(() => JSON.stringify(decoder.end(true))).not.toThrow();
  });
});
