import { describe, expect, it } from 'vitest';
import { deflateAgreement } from '../../src/protocols/websocket-extensions.ts';

describe('deflateAgreement', () => {
  it.each([
    [undefined, undefined],
    ['x-other; a=1', undefined],
    ['permessage-deflate', { clientTakeover: true, serverTakeover: true }],
    [
      'x, Permessage-Deflate; server_no_context_takeover; client_max_window_bits=12',
      { clientTakeover: true, serverTakeover: false },
    ],
    ['permessage-deflate; client_no_context_takeover', { clientTakeover: false, serverTakeover: true }],
  ])('reads %j', (value, expected) => {
    expect(deflateAgreement(value)).toEqual(expected);
  });
});
