import { expect, it } from 'vitest';
import { scrubBody, scrubMessages, scrubText } from '../../../src/app/scrub/scrub-text.ts';

const change = (text: string): string => text.replaceAll('secret', 'public');

it('changes a text as it is written', () => {
  expect(scrubText('a secret', change)).toBe('a public');
});

it('changes what only the reader joins', () => {
  const events = ['se', 'cr', '\\u0065t'].map((piece) => `data: {"i":"${piece}"}\n\n`).join('');
  expect(scrubText(events, change)).toBe(
    ['pu', 'bl', '\\u0069c'].map((piece) => `data: {"i":"${piece}"}\n\n`).join(''),
  );
});

it('leaves bytes that are no text alone, and gives the same array when nothing changes', () => {
  const bytes = Uint8Array.of(0xff, 0xfe, 0x41);
  expect(scrubBody(bytes, change)).toBe(bytes);
  expect(Buffer.from(scrubBody(Buffer.from([0xff, ...Buffer.from('secret')]), change)).toString('latin1')).toBe(
    '\xffpublic',
  );
});

it('joins the messages of a WebSocket', () => {
  const messages = ['{"d":"sec"}', 'ping\n', '{"d":"ret"}'].map((text) => Buffer.from(text));
  expect(scrubMessages(messages, change).map(String)).toEqual(['{"d":"pub"}', 'ping\n', '{"d":"lic"}']);
});

it('gives up a text rather than its length', () => {
  expect(scrubText('a1-b2', () => 'longer text')).toBe('xx-xx');
});
