// Follows the control flow of one function from its entry and executes every block abstractly. Where a function ends is
// not written anywhere in a stripped program, so the rules here decide where control cannot fall through any more.
//
// A block is visited again only with other *constants* in the argument registers (or after the copy into the caller's
// buffer): that is what makes shared call tails work, `mov edx, reason; mov r8d, line; jmp common_call`.

import type { CodeMap } from './code-map.ts';
import type { FunctionRange } from './eh-frame.ts';
import type { Instruction, Machine, Range } from './machine.ts';
import { cloneState, type State, type Trace, type Value } from './values.ts';

/** One function as far as its control flow was followed. */
export interface FunctionTrace extends Trace {
  readonly entry: number;
  /** Address → length of every instruction reached. */
  readonly instructions: ReadonlyMap<number, number>;
  /** Stack pointer at each return and tail call. */
  readonly exits: readonly Value[];
}

/** Bounds of the work on one function: the largest one sought has some 1,500 instructions. A function that exceeds them
 * is left incomplete, which the checks of its shape then reject. */
const MAX_BLOCKS = 400;
const MAX_INSTRUCTIONS = 6000;
const MAX_VARIANTS = 12;

/** Of ERR_put_error(library, unused, reason, file, line): all but the unused one. */
const DISTINGUISHING_ARGS = [0, 2, 3, 4];

/** A jump farther than this leaves the function (a tail call), as does one to a known entry. */
const FAR_JUMP_BYTES = 0x8000;
/** Cold parts of a function are moved far away; a conditional jump still belongs to it, except to entries this far off. */
const FAR_BRANCH_BYTES = 0x40000;

export interface Code {
  readonly machine: Machine;
  readonly map: CodeMap;
  readonly rangeOf: FunctionRange;
}

/** A known entry: called from somewhere, and what stands before it ends a function. */
const isEntry = ({ machine, map }: Code, address: number): boolean =>
  map.calls.has(address) && machine.hasPaddingBefore(address);

export function walk(code: Code, entry: number): FunctionTrace {
  const range = code.rangeOf(entry);
  return new Walk(code, entry, range?.low === entry ? range : undefined).run();
}

class Walk {
  readonly #code: Code;
  readonly #entry: number;
  readonly #range: Range | undefined;
  readonly #instructions = new Map<number, number>();
  readonly #exits: Value[] = [];
  readonly #trace: Trace = { calls: [], loads: [], stores: [] };
  /** Variants seen per block start. */
  readonly #seen = new Map<number, Set<string>>();
  readonly #pending: [address: number, state: State][] = [];

  constructor(code: Code, entry: number, range: Range | undefined) {
    this.#code = code;
    this.#entry = entry;
    this.#range = range;
  }

  run(): FunctionTrace {
    this.#pending.push([this.#entry, this.#code.machine.entryState()]);
    for (let blocks = 0; blocks < MAX_BLOCKS && this.#instructions.size <= MAX_INSTRUCTIONS; ) {
      const next = this.#pending.pop();
      if (next === undefined) break;
      const [address, state] = next;
      if ((this.#seen.get(address)?.size ?? 0) > MAX_VARIANTS || !this.#isNew(address, state)) continue;
      blocks++;
      this.#runPath(address, state);
    }
    const { calls, loads, stores } = this.#trace;
    return { entry: this.#entry, instructions: this.#instructions, exits: this.#exits, calls, loads, stores };
  }

  #isNew(address: number, state: State): boolean {
    const args = this.#code.machine.argsOf(state);
    const constants = DISTINGUISHING_ARGS.map((n) => (args[n]?.kind === 'const' ? args[n].value : ''));
    const variant = `${constants.join()}/${state.hasCopied}`;
    const variants = this.#seen.get(address) ?? new Set();
    if (variants.has(variant)) return false;
    this.#seen.set(address, variants.add(variant));
    return true;
  }

  /** Straight on from `start` until control goes elsewhere, ends, or enters known ground. */
  #runPath(start: number, state: State): void {
    const { machine } = this.#code;
    let address = start;
    let isAfterCall = false;
    // A file may be made of one endless run of instructions, so the bound holds within a path, too.
    while (this.#instructions.size <= MAX_INSTRUCTIONS && !this.#leavesFunction(address, isAfterCall)) {
      const instruction = machine.decode(address);
      if (instruction === undefined || (isAfterCall && this.#endsInPadding(address, instruction))) return;
      this.#instructions.set(address, instruction.length);
      const callsBefore = this.#trace.calls.length;
      const flow = instruction.execute(state, this.#trace);
      const next = address + instruction.length;
      switch (flow.kind) {
        case 'next':
          isAfterCall = this.#trace.calls.length > callsBefore || (isAfterCall && instruction.isNop);
          break;
        case 'branch':
          isAfterCall = false;
          if (!this.#isFarEntry(flow.target)) this.#pending.push([flow.target, cloneState(state)]);
          if (!this.#isNew(next, state)) return;
          break;
        case 'jump':
          this.#jump(address, flow.target, state);
          return;
        case 'return':
          this.#exits.push(machine.stackPointer(state));
          return;
        case 'stop':
        case 'indirect':
          return;
      }
      address = next;
    }
  }

  #jump(from: number, target: number, state: State): void {
    const { machine } = this.#code;
    const isOther = target !== this.#entry && isEntry(this.#code, target);
    if (!isOther && Math.abs(target - this.#entry) <= FAR_JUMP_BYTES) {
      this.#pending.push([target, state]);
      return;
    }
    this.#trace.calls.push({ at: from, target, through: undefined, args: machine.argsOf(state) });
    this.#exits.push(machine.stackPointer(state));
  }

  #isFarEntry(target: number): boolean {
    const isFar = Math.abs(target - this.#entry) > FAR_BRANCH_BYTES;
    return isFar && target !== this.#entry && isEntry(this.#code, target);
  }

  /** Falling through into another function: the call before did not return. */
  #leavesFunction(address: number, isAfterCall: boolean): boolean {
    const { machine, map } = this.#code;
    if (address === this.#entry || this.#instructions.has(address)) return false;
    const isAligned = address % machine.entryAlignment === 0;
    if (address > this.#entry && map.calls.has(address)) {
      if (machine.hasPaddingBefore(address) || (isAligned && isAfterCall)) return true;
    }
    if (!isAfterCall) return false;
    if (address > this.#entry && map.addressTaken.has(address)) return true;
    return this.#range !== undefined && (address < this.#range.low || address >= this.#range.high);
  }

  /** Nops behind a call that did not return, up to the next function's aligned entry. */
  #endsInPadding(address: number, first: Instruction): boolean {
    const { machine, map } = this.#code;
    let at = address;
    for (let i: Instruction | undefined = first; i?.isNop; i = machine.decode(at)) at += i.length;
    if (at % 16 !== 0 || at <= this.#entry) return false;
    return map.calls.has(at) || machine.looksLikeEntry(at, true);
  }
}
