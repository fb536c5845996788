import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bodySummary, hostText, utf8Bytes } from '../../src/copilot/summary.ts';

it('counts UTF-8 bytes like the encoder does', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(utf8Bytes(text)).toBe(new TextEncoder().encode(text).length);
    }),
  );
});

it('shows a host in lower case without its default port', () => {
  const head = (authority: string | null) =>
    ({ httpVersion: '2', method: null, scheme: null, path: null, headers: [], unknown: [], authority }) as const;
  expect(hostText(head('API.example:443'), undefined)).toBe('api.example');
  expect(hostText(head('localhost:8080'), undefined)).toBe('localhost:8080');
  expect(hostText(head('me:secret@api.example:443'), undefined)).toBe('api.example');
  expect(hostText(head(null), 'sni.example')).toBe('sni.example');
  expect(hostText(null, undefined)).toBeNull();
});

it('leaves out what is empty in a body', () => {
  const sizes = { bytes: 3, decodedBytes: 3, lostBytes: 0, coding: '' };
  expect(bodySummary(sizes, null, [])).toEqual({ bytes: 3, decodedBytes: 3, headers: [] });
  const head = { httpVersion: '2', status: 200, headers: [['a', 'b']], unknown: [{ index: 62, position: 0 }] } as const;
  expect(bodySummary({ ...sizes, lostBytes: 1 }, head, [['t', 'v']])).toEqual({
    bytes: 3,
    decodedBytes: 3,
    lostBytes: 1,
    headers: [['a', 'b']],
    unknownHeaders: [{ index: 62, position: 0 }],
    trailers: [['t', 'v']],
  });
});
