import { expect, it } from 'vitest';
import { looksLikeSse, sseMessages } from '../../src/copilot/sse-text.ts';

it('splits an event stream, whatever its line ends, and keeps a cut last event', () => {
  const text = ': hi\nevent: a\ndata: 1\ndata:2\r\n\r\nid: 7\ndata: 3\n\n\ndata: cut';
  expect([...sseMessages(text)]).toEqual([
    { event: 'a', data: '1\n2' },
    { event: '', data: '3' },
    { event: '', data: 'cut' },
  ]);
});

it.each([
  ['data: 1', true],
  ['\n: comment', true],
  ['event: x', true],
  ['{"data":1}', false],
  ['', false],
])('tells an event stream from other text: %j', (text, is) => {
  expect(looksLikeSse(text)).toBe(is);
});
