import { describe, expect, it } from 'vitest';
import { readImage } from '../../../src/capture/discover/image.ts';
import { bytesSource } from '../../../src/capture/discover/source.ts';
import type { FoundSymbol, SymbolLookup } from '../../../src/capture/discover/symbols.ts';
import { inspectImage } from '../../../src/capture/targets/table.ts';
import { CODE_ADDRESS, tinyElf } from '../discover/tiny-elf.ts';

const SEAL = '_ZN4bssl18tls_write_app_dataEP6ssl_stPbPmNS_4SpanIKhEE';
const SEAL_OLD = '_ZN4bssl18tls_write_app_dataEP6ssl_stPbPKhi';
const OPEN = '_ZN4bssl17tls_open_app_dataEP6ssl_stPNS_4SpanIhEEPmPhS3_';

/** Symbols at distances of 16 bytes; a name that ends in `(` has parameters behind. */
const symbols =
  (...names: string[]): SymbolLookup =>
  (wanted) =>
    new Map(
      names.flatMap((name, i): [string, FoundSymbol][] => {
        const key = wanted.find((w) => w === name || (w.endsWith('(') && name.startsWith(w)));
        return key === undefined
          ? []
          : [[key, { name, address: CODE_ADDRESS + 16 * i, sizeBytes: 16, table: 'separate' }]];
      }),
    );

const inspect = (text: string, lookup: SymbolLookup) => {
  const elf = tinyElf({ code: Buffer.alloc(256, 0x90), data: Buffer.from(`\0${text}\0`) });
  const answer = readImage(bytesSource(elf));
  if (!answer.ok) throw new Error(answer.why);
  const [finding] = inspectImage(answer.image, () => ({ lookup, refused: [], close: () => {} }));
  return { ...finding, hooks: finding?.hooks.map((h) => [h.role, h.symbol, h.args]) };
};

const BORING = 'x/ssl/ssl_lib.cc';

describe('libraries that separate symbols complete', () => {
  it('BoringSSL is hooked at the record level, in the shape that the C++ name tells', () => {
    const roles = [[SEAL], [SEAL_OLD]].map(([seal]) => inspect(BORING, symbols(OPEN, seal!, 'SSL_free')).hooks);
    expect(roles).toEqual([
      [
        ['open', 'tls_open_app_data', { out: 1 }],
        ['seal', 'tls_write_app_data', { done: 2, buf: 3, len: 4 }],
        ['free', 'SSL_free', undefined],
      ],
      [
        ['open', 'tls_open_app_data', { out: 1 }],
        ['seal_old', 'tls_write_app_data', { buf: 2, len: 3 }],
        ['free', 'SSL_free', undefined],
      ],
    ]);
  });

  it('the same by demangled names', () => {
    const names = [
      'bssl::tls_open_app_data(ssl_st*, …)',
      'bssl::tls_write_app_data(ssl_st*, bool*, unsigned long*, …)',
    ];
    const finding = inspect(BORING, symbols(...names));
    expect(finding.hooks?.map(([role]) => role)).toEqual(['open', 'seal']);
    expect(finding.reason).toBe('tls_open_app_data, tls_write_app_data by separate debug symbols');
  });

  it('without the record level its public functions are, and what may be missing is said', () => {
    const finding = inspect(BORING, symbols('SSL_read', 'SSL_write', OPEN));
    expect(finding.hooks?.map(([role]) => role)).toEqual(['read', 'write']);
    expect(finding.evidence).toContain('SSL_read and SSL_write may be inlined elsewhere: such data would not be seen');
  });

  it('half a conversation is not hooked', () => {
    expect(inspect(BORING, symbols(OPEN, 'SSL_free')).hooks).toEqual([]);
  });

  it('OpenSSL is hooked as with symbols of its own', () => {
    const finding = inspect('x/ssl/ssl_lib.c', symbols('SSL_read', 'SSL_write', 'SSL_free'));
    expect(finding).toMatchObject({
      library: 'openssl',
      reason:
        'SSL_read, SSL_write, SSL_free by separate debug symbols (whether data goes around them in this build is not known)',
    });
  });

  it('libraries that are not hooked at all stay so', () => {
    expect(inspect('x/rustls-0.23.12/src/conn.rs', symbols('SSL_read', 'SSL_write')).hooks).toEqual([]);
  });
});
