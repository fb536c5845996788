import { expect, it } from 'vitest';
import {
  announcedBytes,
  expectsBody,
  isLines,
  keepsRequest,
  keepsResponse,
  mediaTypeOf,
} from '../../src/copilot/body-use.ts';
import type { HeaderField, RequestHead, ResponseHead } from '../../src/model/index.ts';

const head = (method: string | null, ...headers: HeaderField[]): RequestHead => ({
  method,
  path: '/a',
  authority: 'h',
  scheme: 'https',
  httpVersion: '1.1',
  headers,
  unknown: [],
});

it.each<[string | null, HeaderField[], boolean]>([
  ['GET', [], false],
  ['GET', [['content-length', '3']], true],
  ['POST', [['content-length', '0']], false],
  ['POST', [], true],
  ['DELETE', [['transfer-encoding', 'chunked']], true],
  [null, [], true],
])('knows of %s with %j whether a body follows', (method, headers, expected) => {
  expect(expectsBody(head(method, ...headers))).toBe(expected);
});

it('knows when a request is all there, unless its bytes are coded', () => {
  expect(announcedBytes(head('POST', ['content-length', '12']))).toBe(12);
  expect(announcedBytes(head('POST', ['content-length', '12'], ['content-encoding', 'gzip']))).toBeUndefined();
  expect(announcedBytes(head('POST'))).toBeUndefined();
  expect(announcedBytes(null)).toBeUndefined();
});

it('reads the media type without its parameters', () => {
  const response: ResponseHead = {
    status: 200,
    reason: '',
    httpVersion: '1.1',
    headers: [['content-type', 'Application/X-NDJSON; charset=utf-8']],
    unknown: [],
  };
  expect(mediaTypeOf(response)).toBe('application/x-ndjson');
  expect(isLines(mediaTypeOf(response))).toBe(true);
  expect(mediaTypeOf(null)).toBe('');
});

it('keeps what is read, and what may still tell the class', () => {
  const json = head('POST', ['content-type', 'application/json']);
  const form = head('POST', ['content-type', 'multipart/form-data']);
  expect(keepsRequest({ class: 'chat.completions', dialect: 'openai-chat' }, form)).toBe(true);
  expect(keepsRequest({ class: 'http.other' }, json)).toBe(true);
  expect(keepsRequest({ class: 'http.other' }, form)).toBe(false);
  expect(keepsRequest({ class: 'github.rest' }, json)).toBe(false);
  expect(keepsRequest({ class: 'github.rest' }, null)).toBe(true);
  expect(keepsResponse({ class: 'models.list', keeps: 'models' }, json, 'application/json')).toBe(true);
  expect(keepsResponse({ class: 'github.rest' }, json, 'application/json')).toBe(false);
  expect(keepsResponse({ class: 'http.other' }, { ...json, path: null }, 'application/json')).toBe(true);
  expect(keepsResponse({ class: 'http.other' }, { ...json, path: null }, 'image/png')).toBe(false);
});
