// Linear passes over x86-64 code. Both ask one arithmetic question at every byte position p, whatever instruction is there:
// where would a 32-bit displacement at p lead (address of p + 4 + displacement)? Few positions lead to the places sought;
// only those are looked at. The question is asked modulo 2^32, 16 positions at a time (scan-kernel.ts), and each hit is
// confirmed exactly afterwards.

import type { ElfImage, Segment } from '../elf.ts';
import type { CodeMap } from './code-map.ts';
import { inRanges, type Range, type Reference } from './machine.ts';
import {
  GROUP_BYTES,
  makeScanKernel,
  OPCODE_BYTES,
  type Opcode,
  READ_AHEAD_BYTES,
  type ScanKernel,
} from './scan-kernel.ts';

/** Opcode bytes in front of a displacement: at most REX, opcode, ModRM. */
const BEFORE_BYTES = 3;

/** Code read at once: fits the second-level cache. A multiple of the group. */
const CHUNK_BYTES = 256 * 1024;

/** Memory of the kernel: code from `CODE_AT` on (what stands before is kept in front), results behind. */
const CODE_AT = GROUP_BYTES;
const OUT_AT = CODE_AT + CHUNK_BYTES + 64;
const MEMORY_BYTES = OUT_AT + (CHUNK_BYTES / GROUP_BYTES) * 4;

/** One question to all positions. */
interface Question {
  /** Range of the addresses sought. */
  readonly low: number;
  readonly high: number;
  /** Is the number at a position a distance from behind it, or an address? */
  readonly isRelative: boolean;
  /** What must stand in front of it. */
  readonly opcode: Opcode;
  /** `address` is where the number stands, `value` the address that it means. */
  readonly hit: (code: Uint8Array, p: number, address: number, value: number) => void;
}

function ask(elf: ElfImage, question: Question): void {
  const kernel = makeScanKernel(MEMORY_BYTES);
  for (const segment of elf.segments.filter((s) => s.isCode)) {
    for (let at = 0; at < segment.fileBytes; at += CHUNK_BYTES) {
      const length = readChunk(elf, segment, at, kernel);
      if (length > 0) askChunk(kernel, segment.address + at, length, question);
    }
  }
}

/** Brings the chunk with the bytes before and behind it into the kernel's memory; returns how many positions to ask. */
function readChunk(elf: ElfImage, segment: Segment, at: number, { memory }: ScanKernel): number {
  const before = Math.min(BEFORE_BYTES, at);
  const length = Math.min(CHUNK_BYTES, segment.fileBytes - at);
  const wanted = Math.min(length + READ_AHEAD_BYTES, segment.fileBytes - at);
  memory.fill(0, CODE_AT - BEFORE_BYTES, CODE_AT);
  const got = elf.reader.source.read(segment.offset + at - before, memory.subarray(CODE_AT - before, CODE_AT + wanted));
  // What lies behind the last byte are zeros, not the chunk before.
  memory.fill(0, CODE_AT - before + got, OUT_AT);
  return Math.max(0, Math.min(length, got - before - 3));
}

function askChunk({ memory, scan }: ScanKernel, address: number, length: number, question: Question): void {
  const { low, high, isRelative, opcode, hit } = question;
  const { mask, pattern } = opcode;
  const bias = isRelative ? address + 4 - low : -low;
  const first = CODE_AT - OPCODE_BYTES;
  const end = scan(first, first + length, bias | 0, isRelative ? 1 : 0, high - low - 1, mask, pattern, OUT_AT);
  const view = new DataView(memory.buffer);
  for (let out = OUT_AT; out < end; out += 4) {
    const group = view.getUint32(out, true) + OPCODE_BYTES;
    const groupEnd = Math.min(group + GROUP_BYTES, CODE_AT + length);
    for (let p = group; p < groupEnd; p++) {
      if ((view.getUint16(p - OPCODE_BYTES, true) & mask) !== pattern) continue;
      const here = address + p - CODE_AT;
      const value = isRelative ? here + 4 + view.getInt32(p, true) : view.getUint32(p, true);
      if (value >= low && value < high) hit(memory, p, here, value);
    }
  }
}

const byteAt = (code: Uint8Array, at: number): number => code[at] ?? 0;

/** 8D with a RIP-relative ModRM; the REX.W in front is looked at on a hit. */
const LEA: Opcode = { mask: 0xc7ff, pattern: 0x058d };
/** E8 call, E9 jump. */
const CALL_OR_JUMP: Opcode = { mask: 0xfe00, pattern: 0xe800 };
/** 0F 80 … 8F. */
const CONDITIONAL_JUMP: Opcode = { mask: 0xf0ff, pattern: 0x800f };
const ANY: Opcode = { mask: 0, pattern: 0 };

/** Bytes of a constant-loading instruction in front of its imm32, 0 when there is none. A `mov r32, imm32` may have a REX
 * prefix in front, or a byte that only looks like one: users of the result accept the address one less, too. */
function constantPrefixBytes(code: Uint8Array, p: number): number {
  const before = byteAt(code, p - 1);
  if (before >= 0xb8 && before <= 0xbf) return 1;
  if (byteAt(code, p - 2) === 0xc7 && (before & 0xf8) === 0xc0) return 3;
  return before === 0x68 ? 1 : 0;
}

/** Instructions that form an address inside the ranges: `lea r64, [rip + d]` anywhere, and in programs linked at fixed
 * addresses also `mov r32, imm32`, `mov r64, simm32`, `push imm32`. */
export function scanReferencesX86(elf: ElfImage, ranges: readonly Range[]): Reference[] {
  const found = new Map<number, Reference>();
  const note = (at: number, target: number): void => {
    if (inRanges(ranges, target)) found.set(at, { at, target });
  };
  const low = Math.min(...ranges.map((r) => r.low));
  const high = Math.max(...ranges.map((r) => r.high));
  const leaHit: Question['hit'] = (code, p, address, target) => {
    if ((byteAt(code, p - 3) & 0xf8) === 0x48) note(address - 3, target);
  };
  ask(elf, { low, high, isRelative: true, opcode: LEA, hit: leaHit });
  if (elf.isFixed) {
    const hit: Question['hit'] = (code, p, address, value) => {
      const length = constantPrefixBytes(code, p);
      if (length > 0) note(address - length, value);
    };
    ask(elf, { low, high, isRelative: false, opcode: ANY, hit });
  }
  return [...found.values()].sort((a, b) => a.at - b.at);
}

/** Adds all direct calls and jumps that lead into the map's pages. */
export function scanBranchesX86(elf: ElfImage, map: CodeMap): void {
  const hit: Question['hit'] = (code, p, address, target) => {
    if (!map.isWanted(target)) return;
    if (byteAt(code, p - 1) === 0xe9) map.addJump(target, { from: address - 1, isConditional: false });
    // A call of the next instruction is how position-independent code once asked for its own address.
    else if (target !== address + 4) map.addCall(target, address - 1);
  };
  ask(elf, { low: map.low, high: map.high, isRelative: true, opcode: CALL_OR_JUMP, hit });
}

/** Adds the conditional jumps: needed only where a cold part of a function is to be found. */
export function scanConditionalJumpsX86(elf: ElfImage, map: CodeMap): void {
  const hit: Question['hit'] = (_, _p, address, target) => {
    if (map.isWanted(target)) map.addJump(target, { from: address - 2, isConditional: true });
  };
  ask(elf, { low: map.low, high: map.high, isRelative: true, opcode: CONDITIONAL_JUMP, hit });
}
