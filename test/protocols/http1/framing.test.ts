import { describe, expect, it } from 'vitest';
import type { HeaderField } from '../../../src/model/index.ts';
import { requestFraming, responseFraming } from '../../../src/protocols/http1/framing.ts';
import type { RequestLine, StatusLine } from '../../../src/protocols/http1/syntax.ts';

const status = (code: number): StatusLine => ({ kind: 'response', status: code, reason: '', version: '1.1' });
const post = (version: '1.0' | '1.1' = '1.1'): RequestLine => ({
  kind: 'request',
  method: 'POST',
  target: '/',
  version,
});
const length = (value: string): HeaderField => ['content-length', value];
const coding = (value: string): HeaderField => ['transfer-encoding', value];

describe('framing', () => {
  it.each([
    ['no field', [], 'none', undefined],
    ['a length', [length('5')], 'length', undefined],
    ['length zero', [length('0')], 'none', undefined],
    ['the same length twice', [length('5'), length('5')], 'length', undefined],
    ['two lengths', [length('5'), length('6')], 'unknown', 'h1.content-length'],
    ['a negative length', [length('-5')], 'unknown', 'h1.content-length'],
    ['chunked', [coding('Chunked')], 'chunked', undefined],
    ['gzip, chunked', [coding('gzip, chunked')], 'chunked', undefined],
    ['both', [coding('chunked'), length('5')], 'chunked', 'h1.both-lengths'],
    ['chunked twice', [coding('chunked, chunked')], 'unknown', 'h1.transfer-encoding'],
    ['chunked not last', [coding('chunked, gzip')], 'unknown', 'h1.transfer-encoding'],
  ] as const)('of a request with %s', (_, headers, kind, code) => {
    const framed = requestFraming(post(), headers);
    expect([framed.framing.kind, framed.problem?.code]).toEqual([kind, code]);
  });

  it('of HTTP/1.0 with Transfer-Encoding: chunked, and reported, since its recipients may know no such thing', () => {
    for (const framed of [
      requestFraming(post('1.0'), [coding('chunked')]),
      responseFraming({ ...status(200), version: '1.0' }, 'GET', [coding('chunked')]),
    ])
      expect(framed).toMatchObject({ framing: { kind: 'chunked' }, problem: { code: 'h1.transfer-encoding' } });
    expect(requestFraming(post('1.0'), [length('5')]).problem).toBeUndefined();
  });

  it('of responses: by status and by the method that was asked', () => {
    const sized = [length('5')];
    expect(responseFraming(status(200), 'GET', sized).framing).toEqual({ kind: 'length', lenBytes: 5 });
    expect(responseFraming(status(200), null, []).framing.kind).toBe('until-close');
    for (const code of [100, 204, 304]) expect(responseFraming(status(code), 'GET', sized).framing.kind).toBe('none');
    expect(responseFraming(status(200), 'HEAD', sized).framing.kind).toBe('none');
    expect(responseFraming(status(200), 'CONNECT', sized).framing.kind).toBe('switch');
    expect(responseFraming(status(407), 'CONNECT', sized).framing.kind).toBe('length');
    expect(responseFraming(status(101), 'GET', []).framing.kind).toBe('switch');
    expect(responseFraming(status(200), 'GET', [coding('gzip')]).framing.kind).toBe('until-close');
  });
});
