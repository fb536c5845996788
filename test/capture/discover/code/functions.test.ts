import { describe, expect, it } from 'vitest';
import { Functions } from '../../../../src/capture/discover/code/functions.ts';
import { machineX86 } from '../../../../src/capture/discover/code/machine-x86.ts';
import { CODE_ADDRESS, DATA_ADDRESS, hexBytes, tinyImage } from '../tiny-elf.ts';

/** Code with pieces at 16-byte places, int3 between. */
function functionsOf(pieces: Readonly<Record<number, string>>, data = new Uint8Array(0), size = 0x400): Functions {
  const code = new Uint8Array(size).fill(0xcc);
  for (const [at, hex] of Object.entries(pieces)) code.set(hexBytes(hex), Number(at));
  const elf = tinyImage({ code, data });
  return new Functions(elf, machineX86(elf));
}

const entryOf = (f: Functions, place: number): number | undefined => {
  f.survey([CODE_ADDRESS + place]);
  const found = f.containing(CODE_ADDRESS + place);
  return found && found.entry - CODE_ADDRESS;
};

describe('the function that holds a place', () => {
  it('begins where it is called', () => {
    // 0x20: nop; nop; ret, called from 0x40
    expect(entryOf(functionsOf({ 32: '90 90 c3', 64: 'e8 db ff ff ff c3' }), 0x21)).toBe(0x20);
  });

  it('begins where data points to', () => {
    const data = new Uint8Array(16);
    new DataView(data.buffer).setUint32(8, CODE_ADDRESS + 0x20, true);
    expect(DATA_ADDRESS % 8).toBe(0);
    expect(entryOf(functionsOf({ 32: '90 90 c3' }, data), 0x21)).toBe(0x20);
  });

  it('begins behind padding like functions do, when nothing tells', () => {
    expect(entryOf(functionsOf({ 48: '55 90 5d c3' }), 0x31)).toBe(0x30);
  });

  it('does not begin at a block that uses what only its caller knows', () => {
    // 0x10: push rbx; mov rbx,rdi; jmp 0x20. 0x20: mov rax,[rbx]; pop rbx; ret. Something in data points to 0x20.
    const data = new Uint8Array(8);
    new DataView(data.buffer).setUint32(0, CODE_ADDRESS + 0x20, true);
    const f = functionsOf({ 16: '53 48 89 fb e9 07 00 00 00', 32: '48 8b 03 5b c3' }, data);
    expect(entryOf(f, 0x23)).toBe(0x10);
  });

  it('is unknown where none reaches the place', () => {
    expect(entryOf(functionsOf({ 32: '90 90 c3' }), 0x100)).toBeUndefined();
  });

  it('owns its cold part far away, which only a branch reaches', () => {
    // 0x10: push rbp; test edi,edi; je 0x2000; pop rbp; ret. 0x2000: int3-free block that returns.
    const f = functionsOf({ 16: '55 85 ff 0f 84 e7 3f 00 00 5d c3', 16384: '90 90 5d c3' }, undefined, 0x4100);
    const place = CODE_ADDRESS + 0x4001;
    f.survey([place]);
    const { functions, orphans } = f.resolve([place]);
    expect([functions.map((x) => x.entry - CODE_ADDRESS), orphans]).toEqual([[0x10], []]);
  });
});
