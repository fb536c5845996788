import { describe, expect, it } from 'vitest';
import { machineOf } from '../../../../src/capture/discover/code/machine-of.ts';
import { argument, constant, isArg, unknown, type Value } from '../../../../src/capture/discover/code/values.ts';
import { offsetsFrom, offsetsFromObject, runGetter } from '../../../../src/capture/discover/facts/getter.ts';
import { CODE_ADDRESS, hexBytes, tinyImage } from '../tiny-elf.ts';

function run(hex: string) {
  const code = hexBytes(hex);
  return runGetter(machineOf(tinyImage({ code })), { address: CODE_ADDRESS, sizeBytes: code.length });
}

const loaded = (base: Value, disp: number): Value => ({ kind: 'load', base, disp });

describe('a getter', () => {
  it('gives back what each of its paths returns', () => {
    // test esi,esi; je +4; mov rax,[rdi+8]; ret… else xor eax,eax; ret
    const found = run('85 f6 74 05 48 8b 47 08 c3 31 c0 c3');
    expect(found?.returns).toEqual([loaded(argument(0), 8), constant(0)]);
  });

  it('tells which value came from which call, and what was asked', () => {
    // push rax; call +0x100; mov rax,[rax+0x10]; pop rcx; ret
    const found = run('50 e8 00 01 00 00 48 8b 40 10 59 c3');
    const [value] = found?.returns ?? [];
    const root = value?.kind === 'load' ? value.base : undefined;
    const call = root && found?.calls.get(root);
    expect(call?.target).toBe(CODE_ADDRESS + 6 + 0x100);
    expect(isArg(call?.args[0], 0)).toBe(true);
  });

  it('tells what it stores behind its arguments', () => {
    // mov rax,[rdi+0x20]; mov [rsi],rax; ret
    expect(run('48 8b 47 20 48 89 06 c3')?.stores).toMatchObject([
      { base: argument(1), disp: 0, value: loaded(argument(0), 0x20) },
    ]);
  });

  it('ends at a trap, and where it goes on in another function', () => {
    expect(run('0f 0b')?.returns).toEqual([]);
    expect(run('e9 00 01 00 00')?.returns).toEqual([]);
  });

  it.each([
    ['loops', 'eb fe'],
    ['has a loop among its paths', '85 f6 74 fc c3'],
    ['holds what is no instruction', '06'],
  ])('is not understood when it %s', (_, hex) => {
    expect(run(hex)).toBeUndefined();
  });
});

describe('the offsets of a value', () => {
  it('are those of each step from the object', () => {
    expect(offsetsFromObject(loaded(loaded(argument(0), 0x30), 0x1c8))).toEqual([0x30, 0x1c8]);
  });

  it('do not exist for what was not loaded, or from elsewhere', () => {
    expect(offsetsFromObject(argument(0))).toBeUndefined();
    expect(offsetsFromObject(undefined)).toBeUndefined();
    expect(offsetsFromObject(loaded(argument(1), 0))).toBeUndefined();
    const root = unknown();
    expect(offsetsFrom(loaded(root, 8), (value) => value === root)).toEqual([8]);
  });
});
