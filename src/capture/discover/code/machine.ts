// What the analysis of functions needs to know about a processor architecture. One implementation per architecture; the
// walk, the recognition and the tables above it are the same for all.

import type { CodeMap } from './code-map.ts';
import type { Flow, State, Trace, Value } from './values.ts';

/** Half-open range of virtual addresses. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** An instruction that forms an address. */
export interface Reference {
  readonly at: number;
  readonly target: number;
}

export const inRanges = (ranges: readonly Range[], address: number): boolean =>
  ranges.some((r) => address >= r.low && address < r.high);

export interface Instruction {
  readonly length: number;
  readonly isNop: boolean;
  /** Carries out its effect on the path's state and says where control goes. */
  readonly execute: (state: State, trace: Trace) => Flow;
}

export interface Machine {
  /** What registers hold at a function's entry: the calling convention. */
  readonly entryState: () => State;
  readonly stackPointer: (state: State) => Value;
  readonly argsOf: (state: State) => Value[];
  /** What a function that returns now gives back. */
  readonly resultOf: (state: State) => Value;
  /** The instruction at an address of the code, or `undefined` where there is none. */
  readonly decode: (address: number) => Instruction | undefined;
  /** Does what stands before `address` end a function or fill the space between two? */
  readonly hasPaddingBefore: (address: number) => boolean;
  /** Does `address` begin as functions often do? `strictly`: only forms that hardly occur elsewhere. */
  readonly looksLikeEntry: (address: number, strictly: boolean) => boolean;
  readonly entryAlignment: number;
  /** Where a table's pointer leads, past a jump-table thunk ([landing pad,] jump) of control-flow integrity builds. */
  readonly throughThunk: (address: number) => number;
  /** Thunks begin at most this far before their jump. */
  readonly landingPadBytes: number;
  /** All instructions that form an address inside one of the ranges, in address order. */
  readonly scanReferences: (ranges: readonly Range[]) => Reference[];
  /** Adds to `map` all direct calls and jumps that lead near one of the addresses. */
  readonly scanBranches: (map: CodeMap) => void;
  /** The same for conditional jumps. */
  readonly scanConditionalJumps: (map: CodeMap) => void;
}
