import { describe, expect, it } from 'vitest';
import { requestHead, tokenOf } from '../../../src/protocols/http1/heads.ts';

describe('HTTP/1 heads', () => {
  const head = (method: string, target: string) => {
    const { scheme, authority, path } = requestHead({ kind: 'request', method, target, version: '1.1' }, [
      ['host', 'h'],
    ]);
    return [scheme, authority, path];
  };

  it('reads the four forms of a target (RFC 9112 §3.2)', () => {
    expect(head('GET', '/a?b')).toEqual([null, 'h', '/a?b']);
    expect(head('GET', 'HTTPS://other:1/a?b')).toEqual(['https', 'other:1', '/a?b']);
    expect(head('GET', 'http://other')).toEqual(['http', 'other', '/']);
    expect(head('CONNECT', 'other:443')).toEqual([null, 'other:443', null]);
    expect(head('OPTIONS', '*')).toEqual([null, 'h', '*']);
  });

  it('takes the first protocol of an Upgrade field without its version', () => {
    expect([tokenOf('WebSocket'), tokenOf('h2c/1, x'), tokenOf(''), tokenOf(undefined)]).toEqual([
      'websocket',
      'h2c',
      undefined,
      undefined,
    ]);
  });
});
