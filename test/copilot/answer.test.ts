import { describe, expect, it } from 'vitest';
import { Answer } from '../../src/copilot/answer.ts';
import { dialectByName } from '../../src/dialects/index.ts';

function answer(name: string) {
  const dialect = dialectByName(name);
  if (dialect === undefined) throw new Error(name);
  const texts: string[] = [];
  return { texts, answer: new Answer(dialect, (delta) => texts.push(delta.kind === 'text' ? delta.text : delta.kind)) };
}
const bytes = (text: string) => new TextEncoder().encode(text);

describe('Answer', () => {
  it('remembers when the first token came, not the first message', () => {
    const { answer: one } = answer('openai-chat');
    one.message({ event: '', data: '{"choices":[]}' }, 1n);
    expect(one.firstTokenNs).toBeNull();
    one.message({ event: '', data: '{"choices":[{"delta":{"content":"a"}}]}' }, 2n);
    one.message({ event: '', data: '{"choices":[{"delta":{"content":"b"}}]}' }, 3n);
    expect(one.firstTokenNs).toBe(2n);
  });

  it('reads lines cut anywhere, and a last line without its end', () => {
    const { answer: one, texts } = answer('ollama');
    const text = '{"message":{"content":"é"}}\n{"message":{"content":"b"},"done":true}';
    for (const byte of bytes(text)) one.ndjson(Uint8Array.of(byte), 1n);
    expect(texts).toEqual(['é']);
    expect(one.end(true, 2n)).toMatchObject({ text: 'éb', complete: true });
  });

  it('reads a kept body as JSON or as an event stream', () => {
    const json = answer('openai-chat');
    json.answer.body('{"choices":[{"message":{"content":"a"}}]}', 1n);
    const sse = answer('openai-chat');
    sse.answer.body('data: {"choices":[{"delta":{"content":"b"}}]}\n\ndata: [DONE]\n\n', 1n);
    expect([json.answer.end(true, 2n).text, sse.answer.end(false, 2n).text]).toEqual(['a', 'b']);
  });
});
