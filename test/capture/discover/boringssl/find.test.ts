import { describe, expect, it, type TestContext } from 'vitest';
import { findBoringSsl } from '../../../../src/capture/discover/boringssl/find.ts';
import { type ElfImage, offsetOf } from '../../../../src/capture/discover/elf.ts';
import { type ProgramImage, readImage } from '../../../../src/capture/discover/image.ts';
import { bytesSource, openFileSource } from '../../../../src/capture/discover/source.ts';
import { debianFile, npmFile } from '../../../kit/binaries/programs.ts';
import { withoutSymbols } from '../../../kit/binaries/without-symbols.ts';

const open = (path: string): ProgramImage => {
  const source = openFileSource(path);
  if (!source.ok) throw new Error(source.detail);
  const answer = readImage(source.value);
  if (!answer.ok) throw new Error(answer.why);
  return answer.image;
};

const hex = (elf: ElfImage, address: number | undefined): string =>
  address === undefined ? 'none' : (offsetOf(elf, address) ?? -1).toString(16);

/** File offsets of everything found, and which of the two directions is complete at the API level. */
function summary(image: ProgramImage): object {
  const answer = findBoringSsl(image);
  if (answer.kind !== 'found') return answer;
  return answer.copies.map(({ write, read, table, setHostName }) => ({
    write: hex(image.elf, write.found?.entry),
    read: hex(image.elf, read.found?.entry),
    seal: hex(image.elf, table.found?.writeAppData),
    open: hex(image.elf, table.found?.openAppData),
    free: hex(image.elf, table.found?.free),
    sni: hex(image.elf, setHostName),
    complete: [read.found?.isComplete, write.found?.isComplete],
  }));
}

const CHROMIUM = '/usr/lib/chromium/chromium';

interface NpmCase {
  readonly packageName: string;
  readonly version: string;
  readonly file: string;
  readonly expected: Readonly<Record<string, unknown>>;
}

const found = (
  write: string,
  read: string,
  seal: string,
  open: string,
  sni: string,
  free: string,
  isReadComplete = true,
) => ({
  write,
  read,
  seal,
  open,
  sni,
  free,
  complete: [isReadComplete, true],
});

const bun = (version: string, expected: NpmCase['expected'], arch = 'x64'): NpmCase => ({
  packageName: `@oven/bun-linux-${arch}`,
  version,
  file: 'bin/bun',
  expected,
});

const headless = (version: string, expected: NpmCase['expected']): NpmCase => ({
  packageName: '@sparticuz/chromium',
  version,
  file: 'bin/chromium.br',
  expected,
});

// Verified against live traffic of these very builds (plaintext byte-exact at these functions).
const CASES: readonly NpmCase[] = [
  bun('1.0.0', found('2a502f0', '2a4fee0', '2b4f5e0', '2b4fb40', '2a51c80', '2b63800')),
  bun('1.1.45', found('591acc0', '5919fe0', '58ee0c0', '58ee690', '591b3b0', '591c510')),
  bun('1.4.5', found('23ffc30', '237e500', '23ffdc0', '23a5b80', '2363ae0', '23ae4c0')),
  bun('1.4.5', found('21a07c0', '2125500', '21a0980', '214e700', '210d240', '2158400'), 'aarch64'),
  // SSL_read is inlined into its callers: found, but a hook on it would see nothing.
  headless('138.0.2', found('344f600', '3991bc0', '421ac80', '398e770', '456a460', '3993440', false)),
  headless('153.0.0', found('47d21e0', '3d41770', '4e622b0', '3d44b60', '4c71f90', '4e6ff80', false)),
];

describe('finding BoringSSL in stripped programs', () => {
  it('finds all functions of Debian chromium, checked against known offsets of known builds', {
    timeout: 120_000,
  }, (context) => {
    const image = open(debianFile(context, CHROMIUM, 'chromium'));
    const known: Record<string, object> = {
      fedd2dee222a71e0243fa57139a185a5db6d1b44: found('9dab690', '9dab260', '9dc4a30', '9dc4f20', '9dace10', '9de1950'),
    };
    const answer = findBoringSsl(image);
    if (answer.kind !== 'found') throw new Error(answer.kind);
    // A newer build from the archive has other offsets; what must hold in any is that both directions are complete.
    expect(answer.copies.map((c) => [c.read.found?.isComplete, c.write.found?.isComplete])).toEqual([[true, true]]);
    expect(answer.copies[0]?.table.found?.isOpenComplete).toBe(true);
    const expected = known[image.elf.buildId ?? ''];
    if (expected !== undefined) expect(summary(image)).toEqual([expected]);
  });

  it.for(CASES)('finds all functions of $packageName $version', { timeout: 240_000 }, (c, context) => {
    const image = open(npmFile(context, c.packageName, c.version, c.file));
    expect(summary(image)).toEqual([c.expected]);
  });

  it('agrees with the symbols of android-libboringssl, also when symbols and section headers are gone', (context) => {
    const path = debianFile(context, '/usr/lib/x86_64-linux-gnu/android/libssl.so.0', 'android-libboringssl');
    const whole = open(path);
    const offset = (name: string): string => hex(whole.elf, whole.dynamic.lookup(name)?.address);
    const stripped = readImage(bytesSource(withoutSymbols(path)));
    if (!stripped.ok) throw new Error(stripped.why);
    expect(stripped.image.dynamic.lookup('SSL_read')).toBeUndefined();
    for (const image of [whole, stripped.image]) {
      expect(summary(image)).toMatchObject([
        { write: offset('SSL_write'), read: offset('SSL_read'), sni: offset('SSL_set_tlsext_host_name') },
      ]);
    }
  });

  it('finds nothing in a program that uses OpenSSL, and does not read its code for that', (context: TestContext) => {
    expect(findBoringSsl(open(debianFile(context, process.execPath, 'nodejs')))).toEqual({ kind: 'absent' });
  });
});
