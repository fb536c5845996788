import { expect, it } from 'vitest';
import { Http1Writer, recodedFields } from '../../../src/app/rebuild/http1-writer.ts';
import type { HeaderField, ResponseHead } from '../../../src/model/index.ts';

const response = (...headers: HeaderField[]): ResponseHead => ({
  httpVersion: '1.1',
  status: 200,
  reason: 'OK',
  headers,
  unknown: [],
});
const text = (bytes: Buffer | null): string => bytes?.toString('latin1') ?? 'null';

it('writes heads, plain bodies and chunks', () => {
  const writer = new Http1Writer();
  const head = {
    httpVersion: '1.1',
    method: 'GET',
    scheme: null,
    authority: 'a',
    path: '/x',
    headers: [['host', 'a']],
    unknown: [],
  } as const;
  expect(text(writer.requestHead(head))).toBe('GET /x HTTP/1.1\r\nhost: a\r\n\r\n');
  expect(text(writer.body('request', Buffer.from('ab')))).toBe('ab');
  expect(text(writer.responseHead(response(['transfer-encoding', 'chunked'])))).toBe(
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n',
  );
  expect(text(writer.body('response', Buffer.from('ab')))).toBe('2\r\nab\r\n');
  writer.trailers('response', [['x', 'y']]);
  expect(text(writer.end('response'))).toBe('0\r\nx: y\r\n\r\n');
  expect(text(writer.end('response'))).toBe('');
});

it('lets the length of a compressed body be told by chunks, and drops a coding that it cannot write', () => {
  const fields = (coding: string): [string, string][] => [
    ['content-encoding', coding],
    ['content-length', '9'],
  ];
  expect(recodedFields(fields('gzip'), true)).toEqual([
    ['content-encoding', 'gzip'],
    ['transfer-encoding', 'chunked'],
  ]);
  expect(recodedFields(fields('gzip'), false)).toEqual([['content-encoding', 'gzip']]);
  expect(recodedFields(fields('compress'), true)).toEqual([['transfer-encoding', 'chunked']]);
  expect(recodedFields([['content-length', '9']], true)).toEqual([['content-length', '9']]);
});

it('writes no head that is not known', () => {
  expect(new Http1Writer().responseHead({ ...response(), status: null })).toBeNull();
});
