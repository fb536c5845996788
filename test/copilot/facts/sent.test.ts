import { expect, it } from 'vitest';
import { sentFacts } from '../../../src/copilot/facts/sent.ts';

const items = (request: unknown) => sentFacts({ path: null, request: JSON.stringify(request), response: '' })?.items;

it('names files, questions, code and memories by their field', () => {
  expect(items({ content: 'é', path: 'a.ts', language_id: 'typescript' })).toEqual([
    { what: 'file', path: 'a.ts', language: 'typescript', bytes: 2, text: 'é', whole: true },
  ]);
  expect(items({ prompt: 'where?' })).toMatchObject([{ what: 'prompt', text: 'where?' }]);
  expect(items({ source: 'code' })).toMatchObject([{ what: 'code', text: 'code' }]);
  expect(items({ subject: 's', fact: 'tabs' })).toMatchObject([{ what: 'memory', text: 'tabs' }]);
});

it('reads a document that comes in base64', () => {
  expect(items({ file_path: 'b.ts', content: 'w6kK' })).toMatchObject([{ path: 'b.ts', text: 'é\n', bytes: 3 }]);
});

it('keeps the beginning of a long text and counts events beyond the bound', () => {
  expect(items({ content: 'x'.repeat(5000) })).toMatchObject([{ bytes: 5000, whole: false }]);
  const events = Array.from({ length: 101 }, (_, at) => ({ type: 'user.message', data: { at } }));
  const facts = sentFacts({ path: null, request: JSON.stringify({ events }), response: '' });
  expect(facts).toMatchObject({ left: 1 });
  expect(facts?.items[0]).toEqual({ what: 'event', path: 'user.message', bytes: 8, text: '{"at":0}', whole: true });
});
