// x86-64 as a `Machine`: how its functions begin and end, what stands between them.

import { type ElfImage, isCode, offsetOf } from '../elf.ts';
import { argsX86, entryStateX86, executeX86, get } from './exec-x86.ts';
import { decodeX86, type X86Insn } from './insn-x86.ts';
import type { Instruction, Machine } from './machine.ts';
import { scanBranchesX86, scanConditionalJumpsX86, scanReferencesX86 } from './scan-x86.ts';

const MAX_INSTRUCTION_BYTES = 15;
const RAX = 0;
const RSP = 4;

export function machineX86(elf: ElfImage): Machine {
  const bytesAt = (address: number, length: number): Uint8Array | undefined => {
    const offset = offsetOf(elf, address);
    return offset === undefined ? undefined : elf.reader.bytes(offset, length);
  };
  const insnAt = (address: number): X86Insn | undefined => {
    if (!isCode(elf, address)) return undefined;
    // The last instructions of a file have fewer bytes behind them.
    for (let length = MAX_INSTRUCTION_BYTES; length > 0; length--) {
      const bytes = bytesAt(address, length);
      if (bytes !== undefined) return decodeX86(bytes, 0, address);
    }
    return undefined;
  };
  return {
    entryState: entryStateX86,
    stackPointer: (state) => get(state, RSP),
    argsOf: argsX86,
    resultOf: (state) => get(state, RAX),
    decode: (address) => toInstruction(insnAt(address)),
    hasPaddingBefore: (address) => endsFunction(bytesAt(address - 16, 16)),
    looksLikeEntry: (address, strictly) => {
      const code = withoutLandingPad(bytesAt(address, 12));
      return code !== undefined && (isPrologue(code.bytes, code.hadPad) || (!strictly && isLikelyFirst(code.bytes)));
    },
    entryAlignment: 16,
    throughThunk: (address) => throughThunk(insnAt, address),
    landingPadBytes: 4,
    scanReferences: (ranges) => scanReferencesX86(elf, ranges),
    scanBranches: (map) => scanBranchesX86(elf, map),
    scanConditionalJumps: (map) => scanConditionalJumpsX86(elf, map),
  };
}

const isNop = (i: X86Insn): boolean =>
  (i.map === 1 && i.opcode === 0x90 && i.rex === 0) || (i.map === 2 && i.opcode === 0x1f);

const toInstruction = (i: X86Insn | undefined): Instruction | undefined =>
  i && { length: i.length, isNop: isNop(i), execute: (state, trace) => executeX86(i, state, trace) };

/** The 16 bytes before an address: int3, ret, ud2, a nop of 1 to 8 bytes, a call or jump. */
function endsFunction(w: Uint8Array | undefined): boolean {
  if (w === undefined) return false;
  const back = (n: number): number => w[16 - n] ?? 0;
  const isNopOf = (size: number, modrm: number): boolean =>
    back(size) === 0x0f && back(size - 1) === 0x1f && back(size - 2) === modrm;
  if ([0xcc, 0xc3, 0x90].includes(back(1))) return true;
  if (back(2) === 0x0f && back(1) === 0x0b) return true;
  if (isNopOf(3, 0x00) || isNopOf(4, 0x40) || isNopOf(5, 0x44) || isNopOf(7, 0x80) || isNopOf(8, 0x84)) return true;
  return (back(5) & 0xfe) === 0xe8 || back(2) === 0xeb;
}

interface EntryCode {
  readonly bytes: Uint8Array;
  readonly hadPad: boolean;
}

function withoutLandingPad(bytes: Uint8Array | undefined): EntryCode | undefined {
  if (bytes === undefined) return undefined;
  const hadPad = bytes[0] === 0xf3 && bytes[1] === 0x0f && bytes[2] === 0x1e && bytes[3] === 0xfa;
  return { bytes: hadPad ? bytes.subarray(4) : bytes, hadPad };
}

/** endbr64, push of a callee-saved register, sub rsp. */
function isPrologue([a, b, c]: Uint8Array, hadPad: boolean): boolean {
  const isPush = a === 0x55 || a === 0x53 || (a === 0x41 && b !== undefined && b >= 0x54 && b <= 0x57);
  return hadPad || isPush || (a === 0x48 && (b === 0x83 || b === 0x81) && c === 0xec);
}

/** Other common first instructions: push rax, 64-bit moves and tests of arguments, xor eax,eax, cmp byte [rdi+…]. */
function isLikelyFirst([a, b]: Uint8Array): boolean {
  if (a === 0x50) return true;
  if (a === 0x48) return b === 0x8b || b === 0x83 || b === 0x89 || b === 0x81;
  return (a === 0x4c && b === 0x8b) || (a === 0x80 && b === 0xbf) || (a === 0x31 && b === 0xc0);
}

/** [endbr64] jmp target, twice at most: a thunk to a thunk. */
function throughThunk(insnAt: (address: number) => X86Insn | undefined, address: number): number {
  let at = address;
  for (let hops = 0; hops < 2; hops++) {
    let insn = insnAt(at);
    if (insn !== undefined && insn.map === 2 && insn.opcode === 0x1e) insn = insnAt(at + insn.length);
    if (insn === undefined || insn.map !== 1 || insn.opcode !== 0xe9) return at;
    at = insn.address + insn.length + insn.imm;
  }
  return at;
}
