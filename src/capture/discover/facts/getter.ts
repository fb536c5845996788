// Runs one of a library's small getters abstractly, along every path, to learn what it returns and what it stores. Unlike
// walk.ts, which asks where functions end, the function is known here, and each path's values count.
//
// A function that is longer, loops, or holds what cannot be decoded is not understood as a whole, and so not at all.

import type { Machine } from '../code/machine.ts';
import { type Access, type Call, cloneState, isArg, type State, type Trace, type Value } from '../code/values.ts';

/** The longest getters have some 60 instructions and 10 paths. */
const MAX_PATHS = 64;
const MAX_PATH_INSTRUCTIONS = 128;

export interface GetterRun {
  /** Of each path that returns. */
  readonly returns: readonly Value[];
  readonly stores: readonly Access[];
  /** Calls by the value that they gave back. */
  readonly calls: ReadonlyMap<Value, Call>;
}

export interface Getter {
  readonly address: number;
  readonly sizeBytes: number;
}

export function runGetter(machine: Machine, getter: Getter): GetterRun | undefined {
  return new Run(machine, getter).all();
}

class Run {
  readonly #machine: Machine;
  readonly #getter: Getter;
  readonly #trace: Trace = { calls: [], loads: [], stores: [] };
  readonly #returns: Value[] = [];
  readonly #calls = new Map<Value, Call>();
  readonly #pending: [address: number, state: State, steps: number][] = [];

  constructor(machine: Machine, getter: Getter) {
    this.#machine = machine;
    this.#getter = getter;
  }

  all(): GetterRun | undefined {
    this.#pending.push([this.#getter.address, this.#machine.entryState(), 0]);
    for (let paths = 0; paths < MAX_PATHS; paths++) {
      const next = this.#pending.pop();
      if (next === undefined) return { returns: this.#returns, stores: this.#trace.stores, calls: this.#calls };
      if (!this.#path(...next)) return undefined;
    }
    return undefined;
  }

  /** False when the path is not understood. */
  #path(start: number, state: State, stepsBefore: number): boolean {
    let address = start;
    for (let steps = stepsBefore; steps < MAX_PATH_INSTRUCTIONS; steps++) {
      const instruction = this.#machine.decode(address);
      if (instruction === undefined) return false;
      const callsBefore = this.#trace.calls.length;
      const flow = instruction.execute(state, this.#trace);
      address += instruction.length;
      switch (flow.kind) {
        case 'next':
          this.#noteCall(state, callsBefore);
          break;
        case 'branch':
          this.#pending.push([flow.target, cloneState(state), steps + 1]);
          break;
        case 'jump':
          // Out of the function: what another one returns is nothing that is known here.
          if (!this.#isInside(flow.target)) return true;
          address = flow.target;
          break;
        case 'return':
          this.#returns.push(this.#machine.resultOf(state));
          return true;
        case 'stop':
        case 'indirect':
          return true;
      }
    }
    return false;
  }

  #noteCall(state: State, callsBefore: number): void {
    const call = this.#trace.calls[callsBefore];
    if (call !== undefined) this.#calls.set(this.#machine.resultOf(state), call);
  }

  #isInside(target: number): boolean {
    const { address, sizeBytes } = this.#getter;
    return target >= address && target < address + sizeBytes;
  }
}

/** Offsets of a value that was loaded by way of `from`, e.g. `[0x30, 0x1c8]` of `[[from + 0x30] + 0x1c8]`. */
export function offsetsFrom(value: Value | undefined, isRoot: (root: Value) => boolean): readonly number[] | undefined {
  const offsets: number[] = [];
  let at = value;
  while (at?.kind === 'load') {
    offsets.unshift(at.disp);
    at = at.base;
  }
  return at !== undefined && offsets.length > 0 && isRoot(at) ? offsets : undefined;
}

/** The same from argument 0, the object that the getter is asked about. */
export const offsetsFromObject = (value: Value | undefined): readonly number[] | undefined =>
  offsetsFrom(value, (root) => isArg(root, 0));
