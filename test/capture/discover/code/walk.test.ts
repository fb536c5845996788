import { describe, expect, it } from 'vitest';
import { CodeMap } from '../../../../src/capture/discover/code/code-map.ts';
import { machineX86 } from '../../../../src/capture/discover/code/machine-x86.ts';
import { type FunctionTrace, walk } from '../../../../src/capture/discover/code/walk.ts';
import { CODE_ADDRESS, hexBytes, tinyImage } from '../tiny-elf.ts';

function trace(hex: string, prepare: (map: CodeMap) => void = () => {}): FunctionTrace {
  const elf = tinyImage({ code: hexBytes(`${hex} ${'cc '.repeat(64)}`) });
  const map = new CodeMap(elf);
  prepare(map);
  return walk({ machine: machineX86(elf), map, rangeOf: () => undefined }, CODE_ADDRESS);
}

const reached = (f: FunctionTrace): number[] =>
  [...f.instructions.keys()].map((a) => a - CODE_ADDRESS).sort((a, b) => a - b);
const constants = (f: FunctionTrace): unknown[] =>
  f.calls.map((c) => c.args.slice(2, 5).map((v) => (v.kind === 'const' ? v.value : v.kind)));

describe('following a function', () => {
  it('takes both ways of a branch and ends at returns', () => {
    // 0 test edi,edi; 2 je +1; 4 ret; 5 xor eax,eax; 7 ret
    expect(reached(trace('85 ff 74 01 c3 31 c0 c3'))).toEqual([0, 2, 4, 5, 7]);
  });

  it('visits a shared call tail once for each set of constants', () => {
    // 0 mov edx,226 5 mov r8d,10 11 test edi,edi 13 jne 26 15 mov edx,215 20 mov r8d,20 26 call 31 ret
    const code = 'ba e2 00 00 00 41 b8 0a 00 00 00 85 ff 75 0b ba d7 00 00 00 41 b8 14 00 00 00 e8 00 01 00 00 c3';
    expect(constants(trace(code)).sort()).toEqual([
      [215, 'arg', 20],
      [226, 'arg', 10],
    ]);
  });

  it('does not fall through a call into the function behind it', () => {
    // 0 call; 5 … 15 nops; 16 push rbp; ret: another function, called from elsewhere
    const code = 'e8 00 01 00 00 0f 1f 84 00 00 00 00 00 0f 1f 00 55 c3';
    expect(reached(trace(code))).toEqual([0]);
  });

  it('takes a jump to a known entry for a tail call, and notes its arguments', () => {
    // 0 mov edx,7; 5 jmp 16; …; 15 int3; 16 ret
    const code = 'ba 07 00 00 00 e9 06 00 00 00 cc cc cc cc cc cc c3';
    const known = trace(code, (map) => map.addCall(CODE_ADDRESS + 16, 1));
    expect(reached(known)).toEqual([0, 5]);
    expect(known.calls.map((c) => c.target)).toEqual([CODE_ADDRESS + 16]);
    expect(known.exits).toEqual([{ kind: 'stack' }]);
    expect(reached(trace(code))).toEqual([0, 5, 16]);
  });

  it('ends on loops', () => {
    // 0 inc eax; 2 jmp 0
    expect(reached(trace('ff c0 eb fc'))).toEqual([0, 2]);
  });

  it('gives up on a run of instructions without end', () => {
    expect(trace('90 '.repeat(20_000)).instructions.size).toBe(6001);
  });

  it('stops at what is no instruction', () => {
    expect(reached(trace('90 06'))).toEqual([0]);
  });
});
