// What linear passes over the whole file know about the code around the places of interest: which addresses are called,
// jumped to, or stored in data. Restricted to a few pages ("windows"), since a browser has millions of calls.

import type { ElfImage } from '../elf.ts';

const PAGE_SHIFT = 12;

/** A function's entry lies before the reference: no function sought reaches 16 KiB. */
const BEFORE_BYTES = 0x4000;
const AFTER_BYTES = 0x40;

export interface Jump {
  readonly from: number;
  readonly isConditional: boolean;
}

export class CodeMap {
  /** Call targets with the calls' addresses. */
  readonly calls = new Map<number, number[]>();
  readonly jumps = new Map<number, Jump[]>();
  /** Code addresses that data holds: functions in tables, or thunks. */
  readonly addressTaken = new Set<number>();

  /** Bounds of the pages of interest, and a byte per page from `low` on: set when it is one. */
  low = 0;
  high = 0;
  pages = new Uint8Array(0);
  readonly #sources = new Set<number>();
  readonly #codeLow: number;
  readonly #codeHigh: number;

  constructor(elf: ElfImage) {
    const code = elf.segments.filter((s) => s.isCode);
    this.#codeLow = Math.min(...code.map((s) => s.address));
    this.#codeHigh = Math.max(...code.map((s) => s.address + s.fileBytes));
  }

  /** Chooses the pages around `addresses` for the next passes. */
  focus(addresses: readonly number[]): void {
    const page = (a: number): number => Math.floor(Math.min(Math.max(a, this.#codeLow), this.#codeHigh) / 4096);
    const first = Math.min(...addresses.map((a) => page(a - BEFORE_BYTES)));
    const last = Math.max(...addresses.map((a) => page(a + AFTER_BYTES)));
    this.low = first * 4096;
    this.high = (last + 1) * 4096;
    this.pages = new Uint8Array(last - first + 1);
    for (const a of addresses) this.pages.fill(1, page(a - BEFORE_BYTES) - first, page(a + AFTER_BYTES) - first + 1);
  }

  isWanted(address: number): boolean {
    return address >= this.low && address < this.high && this.pages[(address - this.low) >>> PAGE_SHIFT] === 1;
  }

  /** A pass may meet a place twice (overlapping blocks, repeated passes). An instruction has one target, so its address
   * alone tells; a hot function has 100,000 callers, so its list must not be searched. */
  addCall(target: number, from: number): void {
    if (this.#isKnown(from)) return;
    const sources = this.calls.get(target);
    if (sources === undefined) this.calls.set(target, [from]);
    else sources.push(from);
  }

  addJump(target: number, jump: Jump): void {
    if (this.#isKnown(jump.from)) return;
    const sources = this.jumps.get(target);
    if (sources === undefined) this.jumps.set(target, [jump]);
    else sources.push(jump);
  }

  #isKnown(from: number): boolean {
    if (this.#sources.has(from)) return true;
    this.#sources.add(from);
    return false;
  }
}
