import { describe, expect, it, type TestContext } from 'vitest';
import { readImage } from '../../../src/capture/discover/image.ts';
import { openFileSource } from '../../../src/capture/discover/source.ts';
import { inspectImage } from '../../../src/capture/targets/table.ts';
import { buildStaticClient, type StaticBuild } from '../../kit/binaries/static-openssl.ts';

const inspect = (context: TestContext, build: StaticBuild) => {
  const source = openFileSource(buildStaticClient(context, 'internal', build));
  const answer = source.ok ? readImage(source.value) : undefined;
  if (!answer?.ok) throw new Error('not readable');
  return inspectImage(answer.image);
};

describe('a static OpenSSL whose public functions may be bypassed', () => {
  it('is hooked where the data goes, also when the internal functions have no names', (context) => {
    const [finding, ...others] = inspect(context, { flags: ['-O2', '-Wl,--export-dynamic-symbol=SSL_*'] });
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ library: 'openssl', linkage: 'static', confidence: 'certain' });
    expect(finding?.reason).toBe(
      'ssl_read_internal, ssl_write_internal, SSL_free, SSL_ctrl by dynamic symbol and code references',
    );
    expect(finding?.evidence).toEqual([
      'all functions that carry data, by their error sites',
      'TLS version and cipher by the code of SSL_version, SSL_get_current_cipher',
    ]);
  });

  it('is hooked at the internal functions, whose arguments the code tells when no version does', (context) => {
    const [finding] = inspect(context, { flags: ['-O2', '-rdynamic'], keepSymbols: true });
    expect(finding?.version).toBeUndefined();
    expect(finding?.hooks.map((h) => [h.role, h.symbol, h.args?.done])).toEqual([
      ['read_ex', 'ssl_read_internal', 3],
      ['write_ex', 'ssl_write_internal', 3],
      ['free', 'SSL_free', undefined],
      ['ctrl', 'SSL_ctrl', undefined],
    ]);
  });
});
