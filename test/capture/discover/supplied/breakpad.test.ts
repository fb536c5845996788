import { describe, expect, it } from 'vitest';
import { Reader } from '../../../../src/capture/discover/reader.ts';
import { bytesSource } from '../../../../src/capture/discover/source.ts';
import { breakpadBuildId, isBreakpad, searchBreakpad } from '../../../../src/capture/discover/supplied/breakpad.ts';

const reader = (...lines: string[]): Reader => new Reader(bytesSource(Buffer.from(`${lines.join('\n')}\n`)));
const MODULE = 'MODULE Linux x86_64 DFE22DED2A2200E243FA57139A185A5D0 electron';

describe('a Breakpad symbol file', () => {
  it('tells the build-id, whole where it is written, else the part that the module’s identifier holds', () => {
    expect(breakpadBuildId(reader(MODULE))).toBe('ed2de2df222ae20043fa57139a185a5d');
    expect(breakpadBuildId(reader(MODULE, 'INFO CODE_ID ED2DE2DF222AE20043FA57139A185A5DB6D1B44A'))).toBe(
      'ed2de2df222ae20043fa57139a185a5db6d1b44a',
    );
    expect(breakpadBuildId(reader('MODULE Linux x86_64 0 electron'))).toBeUndefined();
    expect([isBreakpad(reader(MODULE)), isBreakpad(reader('\x7fELF'))]).toEqual([true, false]);
  });

  it('gives functions by plain name, with parameters or without, and C++ ones by the beginning', () => {
    const file = reader(
      MODULE,
      'FILE 0 ssl/ssl_lib.cc',
      'INLINE_ORIGIN 5 SSL_write',
      'FUNC 1a0 2c 0 SSL_read(ssl_st*, void*, int)',
      '1a0 10 912 0',
      'FUNC m 2f0 40 0 SSL_write',
      'FUNC 400 99 0 bssl::tls_write_app_data(ssl_st*, bool*, unsigned long*, bssl::Span<unsigned char const>)',
      'FUNC 500 9 0 my_SSL_free',
      'PUBLIC 600 0 SSL_ctrl',
    );
    const names = ['SSL_read', 'SSL_write', 'bssl::tls_write_app_data(', 'SSL_free', 'SSL_ctrl', 'SSL_peek'];
    const found = searchBreakpad(file, names);
    expect([...found].map(([name, { address, sizeBytes }]) => [name, address, sizeBytes]).sort()).toEqual([
      ['SSL_ctrl', 0x600, 0],
      ['SSL_read', 0x1a0, 0x2c],
      ['SSL_write', 0x2f0, 0x40],
      ['bssl::tls_write_app_data(', 0x400, 0x99],
    ]);
    expect(found.get('bssl::tls_write_app_data(')?.name).toContain('unsigned long*');
  });

  it('gives none of two functions with one name', () => {
    const file = reader(MODULE, 'FUNC 100 10 0 SSL_read', 'FUNC 200 10 0 SSL_read', 'FUNC 300 10 0 SSL_write');
    expect([...searchBreakpad(file, ['SSL_read', 'SSL_write']).keys()]).toEqual(['SSL_write']);
  });
});
