// Values of abstract execution: what is known about a register without running the program. Only as much as recognising a
// few functions by their shape needs: arguments, constants, what was loaded from where, and the stack pointer.

export type Value =
  | { readonly kind: 'arg'; readonly index: number }
  | { readonly kind: 'const'; readonly value: number }
  /** The word at `[base + disp]`. */
  | { readonly kind: 'load'; readonly base: Value; readonly disp: number }
  | { readonly kind: 'sum'; readonly base: Value; readonly disp: number }
  /** The stack pointer at the function's entry. */
  | { readonly kind: 'stack' }
  /** What a callee-saved register held at entry: the caller's, of no use to the function but to be put back. */
  | { readonly kind: 'saved'; readonly register: number }
  /** Equal to nothing but itself. */
  | { readonly kind: 'unknown' };

export const unknown = (): Value => ({ kind: 'unknown' });
export const constant = (value: number): Value => ({ kind: 'const', value });
export const argument = (index: number): Value => ({ kind: 'arg', index });

/** An address: base and displacement, never a sum as base. */
export interface Place {
  readonly base: Value;
  readonly disp: number;
}

export const placeOf = (value: Value, disp: number): Place =>
  value.kind === 'sum' ? { base: value.base, disp: value.disp + disp } : { base: value, disp };

export function add(value: Value, amount: number): Value {
  if (value.kind === 'const') return constant(value.value + amount);
  const { base, disp } = placeOf(value, amount);
  return disp === 0 ? base : { kind: 'sum', base, disp };
}

export function same(a: Value, b: Value): boolean {
  if (a === b) return true;
  switch (a.kind) {
    case 'arg':
      return b.kind === 'arg' && a.index === b.index;
    case 'const':
      return b.kind === 'const' && a.value === b.value;
    case 'load':
    case 'sum':
      return b.kind === a.kind && a.disp === b.disp && same(a.base, b.base);
    case 'saved':
      return b.kind === 'saved' && a.register === b.register;
    case 'stack':
      return b.kind === 'stack';
    case 'unknown':
      return false;
  }
}

export const isArg = (value: Value | undefined, index: number): boolean =>
  value?.kind === 'arg' && value.index === index;

/** `[argument 0 + disp]`, a field of the object that the function works on: its displacement. */
export const fieldOfArg0 = (value: Value | undefined): number | undefined =>
  value?.kind === 'load' && isArg(value.base, 0) ? value.disp : undefined;

/** One path's knowledge. */
export interface State {
  readonly registers: Value[];
  /** Words on the stack by displacement from the entry stack pointer. */
  readonly stack: Map<number, Value>;
  /** A copy into the buffer of argument 1 has been made on this path. */
  hasCopied: boolean;
}

export const cloneState = (s: State): State => ({
  registers: [...s.registers],
  stack: new Map(s.stack),
  hasCopied: s.hasCopied,
});

export interface Call {
  readonly at: number;
  /** Of a direct call or jump. */
  readonly target: number | undefined;
  /** Of an indirect one: where the pointer was loaded from. */
  readonly through: Place | undefined;
  readonly args: readonly Value[];
}

export interface Access extends Place {
  readonly at: number;
  readonly isAfterCopy: boolean;
  /** What was stored. */
  readonly value?: Value;
}

/** What a function was seen to do, over all paths. */
export interface Trace {
  readonly calls: Call[];
  readonly loads: Access[];
  readonly stores: Access[];
}

/** Where control goes after an instruction. `stop`: never comes back (trap). */
export type Flow =
  | { readonly kind: 'next' | 'return' | 'stop' | 'indirect' }
  | { readonly kind: 'branch' | 'jump'; readonly target: number };

export const NEXT: Flow = { kind: 'next' };

/** Reads a word: from the modelled stack, or as a symbolic load. */
export function load(state: State, trace: Trace, at: number, place: Place): Value {
  if (place.base.kind === 'stack') return state.stack.get(place.disp) ?? unknown();
  trace.loads.push({ at, ...place, isAfterCopy: state.hasCopied });
  return { kind: 'load', base: place.base, disp: place.disp };
}

/** Writes a word. Memory beyond the stack is not modelled: no function sought here reads back what it wrote there. */
export function store(state: State, trace: Trace, at: number, place: Place, value: Value): void {
  if (place.base.kind === 'stack') state.stack.set(place.disp, value);
  else trace.stores.push({ at, ...place, isAfterCopy: state.hasCopied, value });
}

/** memcpy(buf, …): the destination is argument 1 and the source is computed. */
export function isCopyToArg1(args: readonly Value[]): boolean {
  const source = args[1];
  return isArg(args[0], 1) && source !== undefined && source.kind !== 'const' && source.kind !== 'arg';
}
