import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { decodeX86 } from '../../../../src/capture/discover/code/insn-x86.ts';
import { debianFile } from '../../../kit/binaries/programs.ts';

const bytes = (hex: string): Uint8Array => Uint8Array.from(hex.split(' ').map((b) => Number.parseInt(b, 16)));
const decode = (hex: string, address = 0x1000) => decodeX86(bytes(hex), 0, address);

describe('the x86-64 instruction decoder', () => {
  it.each([
    ['48 8d 05 10 00 00 00', 7, 'lea rax, [rip + 0x10]'],
    ['66 66 48 e8 00 00 00 00', 8, 'a call with padding prefixes keeps its rel32'],
    ['c5 f8 77', 3, 'vzeroupper has no ModRM'],
    ['62 f1 7c 48 10 07', 6, 'EVEX vmovups'],
    ['8f e9 78 e1 c0', 5, 'XOP'],
    ['f7 c7 01 00 00 00', 6, 'test has an immediate'],
    ['f7 d7', 2, 'not has none'],
    ['48 b8 00 00 00 00 00 00 00 00', 10, 'movabs'],
    ['0f b9 40 02', 4, 'ud1 has a ModRM'],
    ['f3 0f 1e fa', 4, 'endbr64'],
  ])('%s is %d bytes long: %s', (hex, length) => {
    expect(decode(hex)?.length).toBe(length);
  });

  it('resolves a RIP-relative operand from the end of the instruction', () => {
    expect(decode('48 8d 05 10 00 00 00', 0x1000)?.memory).toEqual({
      base: -1,
      index: -1,
      disp: 0x1017,
      isAbsolute: true,
    });
  });

  it('reads base, index and displacement', () => {
    expect(decode('4a 8b 44 a3 f8')?.memory).toEqual({ base: 3, index: 12, disp: -8, isAbsolute: false });
  });

  it.each(['06', '62 00', '48', '0f 04', '66 66 66 66 66 66 66 66 66 66 66 66 66 66 66 90'])('refuses %s', (hex) => {
    expect(decode(hex)).toBeUndefined();
  });

  // libc: vector code of every generation; the others: compilers' output. (libcrypto has tables between its functions,
  // which objdump shows as instructions.)
  it('gives every instruction of three programs the length that objdump gives it', { timeout: 120_000 }, (context) => {
    const objdump = debianFile(context, '/usr/bin/objdump', 'binutils');
    const libc = debianFile(context, '/usr/lib/x86_64-linux-gnu/libc.so.6', 'libc6');
    const libstdcpp = debianFile(context, '/usr/lib/x86_64-linux-gnu/libstdc++.so.6', 'libstdc++6');
    const bash = debianFile(context, '/bin/bash', 'bash');
    const compared = [libc, libstdcpp, bash].map((path) => compare(objdump, path));
    expect(compared.flatMap((c) => c.mismatches)).toEqual([]);
    expect(compared.reduce((sum, c) => sum + c.count, 0)).toBeGreaterThan(300_000);
  });
});

/** A line of `objdump -dw`: `  1234:\tbytes \tmnemonic …`. */
const LINE = /^ +([0-9a-f]+):\t((?:[0-9a-f]{2} )+) *\t?(.*)$/;

/** Where objdump shows a prefix as an instruction of its own, or finds none. */
const NOT_WHOLE = /\(bad\)|^(rex\S*|data16|addr32|[c-gs]s|repz?|repnz|lock|fwait|)\s*$/;

function compare(objdump: string, path: string): { count: number; mismatches: string[] } {
  const text = execFileSync(objdump, ['-dw', path], { encoding: 'latin1', maxBuffer: 1 << 30 });
  const mismatches: string[] = [];
  let count = 0;
  for (const line of text.split('\n')) {
    const [, address, hex, mnemonic] = LINE.exec(line) ?? [];
    if (hex === undefined || mnemonic === undefined || NOT_WHOLE.test(mnemonic)) continue;
    count++;
    const code = hex
      .trim()
      .split(' ')
      .map((b) => Number.parseInt(b, 16));
    const length = decodeX86(
      Uint8Array.from([...code, ...new Array(15).fill(0)]),
      0,
      Number.parseInt(address!, 16),
    )?.length;
    if (length !== code.length) mismatches.push(`${line} → ${length}`);
  }
  return { count, mismatches };
}
