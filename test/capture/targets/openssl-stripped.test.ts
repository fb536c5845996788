import { describe, expect, it } from 'vitest';
import { readImage } from '../../../src/capture/discover/image.ts';
import { openFileSource } from '../../../src/capture/discover/source.ts';
import { inspectImage } from '../../../src/capture/targets/table.ts';
import { buildStatic } from '../discover/openssl/static-program.ts';

describe('stripped static OpenSSL', () => {
  it('is hooked where its data goes through and where connections end', (context) => {
    const source = openFileSource(buildStatic(context, '-O2').stripped);
    const answer = source.ok ? readImage(source.value) : undefined;
    if (!answer?.ok) throw new Error('not readable');
    const findings = inspectImage(answer.image);
    expect(findings).toMatchObject([{ library: 'openssl', linkage: 'static', confidence: 'high' }]);
    expect(findings[0]?.hooks.map((h) => [h.role, h.symbol, h.args])).toEqual([
      ['read_ex', 'ssl_read_internal', { buf: 1, len: 2, done: 3 }],
      ['write_ex', 'ssl_write_internal', { buf: 1, len: 2, done: 3 }],
      ['free', 'SSL_METHOD.ssl_free', undefined],
    ]);
    expect(findings[0]?.reason).toBe('ssl_read_internal, ssl_write_internal, SSL_METHOD.ssl_free by code references');
  });
});
