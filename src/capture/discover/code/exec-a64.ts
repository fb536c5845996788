// The effect of one AArch64 instruction on the symbolic state (values.ts), as in exec-x86.ts. Arm Architecture Reference
// Manual (DDI 0487), C4.1 (encoding index). AAPCS64 §6.1: arguments in x0 … x5 (of eight), x19 … x29 belong to the caller.

import {
  add,
  argument,
  constant,
  type Flow,
  isCopyToArg1,
  load,
  NEXT,
  type Place,
  placeOf,
  type State,
  store,
  type Trace,
  unknown,
  type Value,
} from './values.ts';

export const STACK_POINTER = 31;
const LINK = 30;
const ARGUMENTS = 6;
/** x0 … x18. */
const CALLER_SAVED = 19;

export function entryStateA64(): State {
  const registers: Value[] = Array.from({ length: 32 }, unknown);
  for (let n = 0; n < ARGUMENTS; n++) registers[n] = argument(n);
  for (let register = CALLER_SAVED; register < LINK; register++) registers[register] = { kind: 'saved', register };
  registers[STACK_POINTER] = { kind: 'stack' };
  return { registers, stack: new Map(), hasCopied: false };
}

/** Register 31 is the stack pointer here; where it means zero, `readOrZero` is used. */
export const getA64 = (state: State, register: number): Value => state.registers[register] ?? unknown();

export const argsA64 = (state: State): Value[] => Array.from({ length: ARGUMENTS }, (_, n) => getA64(state, n));

interface Step {
  readonly word: number;
  readonly address: number;
  readonly state: State;
  readonly trace: Trace;
}

const bits = ({ word }: Step, low: number, count: number): number => (word >>> low) & ((1 << count) - 1);
const signedBits = ({ word }: Step, low: number, count: number): number => (word << (32 - low - count)) >> (32 - count);
const rd = (s: Step): number => bits(s, 0, 5);
const rn = (s: Step): number => bits(s, 5, 5);
const rm = (s: Step): number => bits(s, 16, 5);
const is64 = (s: Step): boolean => s.word >>> 31 === 1;
const readOrZero = (s: Step, register: number): Value => (register === 31 ? constant(0) : getA64(s.state, register));
const write = (s: Step, register: number, value: Value): void => {
  if (register !== 31) s.state.registers[register] = value;
};

function call(s: Step, target: number | undefined, through: Place | undefined): Flow {
  const args = argsA64(s.state);
  s.trace.calls.push({ at: s.address, target, through, args });
  if (isCopyToArg1(args)) s.state.hasCopied = true;
  for (let register = 0; register < CALLER_SAVED; register++) s.state.registers[register] = unknown();
  s.state.registers[LINK] = unknown();
  return NEXT;
}

const pointerOf = (s: Step): { target: number | undefined; through: Place | undefined } => {
  const value = readOrZero(s, rn(s));
  return {
    target: value.kind === 'const' ? value.value : undefined,
    through: value.kind === 'load' ? { base: value.base, disp: value.disp } : undefined,
  };
};

function indirectCall(s: Step): Flow {
  const { target, through } = pointerOf(s);
  return call(s, target, through);
}

function indirectJump(s: Step): Flow {
  s.trace.calls.push({ at: s.address, ...pointerOf(s), args: argsA64(s.state) });
  return { kind: 'indirect' };
}

const branch =
  (low: number, count: number) =>
  (s: Step): Flow => ({
    kind: 'branch',
    target: s.address + signedBits(s, low, count) * 4,
  });

/** Conditions 14 and 15 mean always. */
function conditional(s: Step): Flow {
  const target = s.address + signedBits(s, 5, 19) * 4;
  return { kind: bits(s, 0, 4) < 14 ? 'branch' : 'jump', target };
}

/** ADR, ADRP. */
function formAddress(s: Step): void {
  const immediate = signedBits(s, 5, 19) * 4 + bits(s, 29, 2);
  const page = s.address - (s.address % 4096);
  write(s, rd(s), constant(is64(s) ? page + immediate * 4096 : s.address + immediate));
}

function addImmediate(s: Step): void {
  const amount = bits(s, 10, 12) * (bits(s, 22, 1) === 1 ? 4096 : 1);
  const isSubtraction = bits(s, 30, 1) === 1;
  const setsFlags = bits(s, 29, 1) === 1;
  const value = add(getA64(s.state, rn(s)), isSubtraction ? -amount : amount);
  if (!setsFlags) s.state.registers[rd(s)] = value;
  else write(s, rd(s), unknown());
}

function moveWide(s: Step): void {
  const operation = bits(s, 29, 2);
  const shifted = bits(s, 5, 16) * 2 ** (bits(s, 21, 2) * 16);
  if (operation === 2) write(s, rd(s), constant(shifted));
  else if (operation === 0) write(s, rd(s), constant(is64(s) ? -shifted - 1 : ~shifted >>> 0));
  else write(s, rd(s), keepMove(s, shifted));
}

/** MOVK replaces 16 bits; of larger numbers than 32 bits nothing needs to be known. */
function keepMove(s: Step, shifted: number): Value {
  const old = readOrZero(s, rd(s));
  const half = bits(s, 21, 2);
  if (old.kind !== 'const' || old.value < 0 || old.value > 0xffff_ffff || half > 1) return unknown();
  const kept = half === 0 ? old.value - (old.value % 0x1_0000) : old.value % 0x1_0000;
  return constant(kept + shifted);
}

/** ORR with the zero register: a repeated bit pattern as constant (DecodeBitMasks), of at most 32 bits here. */
function bitmask(s: Step): Value {
  const [n, rotate, ones] = [bits(s, 22, 1), bits(s, 16, 6), bits(s, 10, 6)];
  const length = 31 - Math.clz32((n << 6) | (~ones & 63));
  if (length < 1) return unknown();
  const size = 1 << length;
  const run = (1n << BigInt((ones & (size - 1)) + 1)) - 1n;
  const by = BigInt(rotate & (size - 1));
  let pattern = ((run >> by) | (run << (BigInt(size) - by))) & ((1n << BigInt(size)) - 1n);
  const width = is64(s) ? 64 : 32;
  for (let have = size; have < width; have *= 2) pattern |= pattern << BigInt(have);
  return pattern <= 0xffff_ffffn ? constant(Number(pattern)) : unknown();
}

/** One access of a load or store instruction. */
function access(s: Step, place: Place, register: number, isLoad: boolean, isVector: boolean): void {
  if (!isLoad) store(s.state, s.trace, s.address, place, isVector ? unknown() : readOrZero(s, register));
  else {
    const value = load(s.state, s.trace, s.address, place);
    if (!isVector) write(s, register, value);
  }
}

function loadStoreUnsigned(s: Step): void {
  const [size, isVector, operation] = [bits(s, 30, 2), bits(s, 26, 1) === 1, bits(s, 22, 2)];
  const scale = isVector && operation >= 2 ? 4 : size;
  if (!isVector && size === 3 && operation === 2) return; // prefetch
  const place = placeOf(getA64(s.state, rn(s)), bits(s, 10, 12) * 2 ** scale);
  access(s, place, rd(s), isVector ? (operation & 1) === 1 : operation !== 0, isVector);
}

/** Modes: 0 unscaled, 1 post-index, 2 unprivileged, 3 pre-index. */
function loadStoreIndexed(s: Step): void {
  const [size, isVector, operation, mode] = [bits(s, 30, 2), bits(s, 26, 1) === 1, bits(s, 22, 2), bits(s, 10, 2)];
  if (!isVector && size === 3 && operation === 2) return; // prefetch
  const base = getA64(s.state, rn(s));
  const offset = signedBits(s, 12, 9);
  access(
    s,
    placeOf(base, mode === 1 ? 0 : offset),
    rd(s),
    isVector ? (operation & 1) === 1 : operation !== 0,
    isVector,
  );
  if (mode === 1 || mode === 3) s.state.registers[rn(s)] = add(base, offset);
}

function loadStorePair(s: Step): void {
  const [size, isVector, isLoad, mode] = [bits(s, 30, 2), bits(s, 26, 1) === 1, bits(s, 22, 1) === 1, bits(s, 23, 2)];
  const scale = isVector ? 2 + size : size === 2 ? 3 : 2;
  const base = getA64(s.state, rn(s));
  const offset = signedBits(s, 15, 7) * 2 ** scale;
  const { base: root, disp } = placeOf(base, mode === 1 ? 0 : offset);
  access(s, { base: root, disp }, rd(s), isLoad, isVector);
  access(s, { base: root, disp: disp + 2 ** scale }, bits(s, 10, 5), isLoad, isVector);
  if (mode === 1 || mode === 3) s.state.registers[rn(s)] = add(base, offset);
}

const clobber = (s: Step): void => write(s, rd(s), unknown());
const clobberInteger = (s: Step): void => {
  if (bits(s, 26, 1) === 0) clobber(s);
};
const clobberLoaded = (s: Step): void => {
  if (bits(s, 26, 1) === 0 && bits(s, 22, 2) !== 0) clobber(s);
};

const RETURN: Flow = { kind: 'return' };
const STOP: Flow = { kind: 'stop' };

interface Row {
  readonly mask: number;
  readonly value: number;
  // biome-ignore lint/suspicious/noConfusingVoidType: most rows only change the state and go on to the next instruction
  readonly apply: (s: Step) => Flow | void;
}

const row = (mask: number, value: number, apply: Row['apply']): Row => ({ mask, value: value | 0, apply });

// The first row whose masked bits agree applies; special forms stand before the class that they belong to.
const ROWS: readonly Row[] = [
  row(0xfc00_0000, 0x9400_0000, (s) => call(s, s.address + signedBits(s, 0, 26) * 4, undefined)),
  row(0xfc00_0000, 0x1400_0000, (s) => ({ kind: 'jump', target: s.address + signedBits(s, 0, 26) * 4 })),
  row(0xff00_0010, 0x5400_0000, conditional),
  row(0x7e00_0000, 0x3400_0000, branch(5, 19)), // cbz, cbnz
  row(0x7e00_0000, 0x3600_0000, branch(5, 14)), // tbz, tbnz
  row(0xffff_fc1f, 0xd65f_0000, () => RETURN),
  row(0xffff_fbff, 0xd65f_0bff, () => RETURN), // with pointer authentication
  row(0xfeff_f000, 0xd63f_0000, indirectCall), // blr and its authenticated forms
  row(0xfeff_f000, 0xd61f_0000, indirectJump), // br and its authenticated forms
  row(0xffe0_001f, 0xd420_0000, () => STOP), // brk
  row(0xffff_0000, 0x0000_0000, () => STOP), // udf
  row(0x1f00_0000, 0x1000_0000, formAddress),
  row(0x1f80_0000, 0x1100_0000, addImmediate),
  row(0x1f80_0000, 0x1280_0000, moveWide),
  row(0x7fe0_ffe0, 0x2a00_03e0, (s) => write(s, rd(s), readOrZero(s, rm(s)))), // mov
  row(0x7f80_03e0, 0x3200_03e0, (s) => write(s, rd(s), bitmask(s))), // mov bitmask
  row(0xffff_fc00, 0x9340_7c00, (s) => write(s, rd(s), readOrZero(s, rn(s)))), // sxtw: a 32-bit copy keeps the symbol
  row(0x3b00_0000, 0x3900_0000, loadStoreUnsigned),
  row(0x3b20_0000, 0x3800_0000, loadStoreIndexed),
  row(0x3b20_0c00, 0x3820_0800, clobberLoaded), // register offset
  row(0x3b20_0c00, 0x3820_0000, clobber), // atomics
  row(0x3a00_0000, 0x2800_0000, loadStorePair),
  row(0x3b00_0000, 0x1800_0000, clobberInteger), // load from a literal
  row(0x3f00_0000, 0x0800_0000, clobber), // exclusive
  row(0x1c00_0000, 0x1000_0000, clobber), // other data processing, immediate
  row(0x0e00_0000, 0x0a00_0000, clobber), // other data processing, register
  row(0x7f3f_fc00, 0x1e26_0000, clobber), // fmov to a general register
  row(0xbfe0_fc00, 0x0e00_3c00, clobber), // umov
];

/** The effect of the instruction `word` at `address`; the state is changed in place. */
export function executeA64(word: number, address: number, state: State, trace: Trace): Flow {
  const step: Step = { word, address, state, trace };
  const found = ROWS.find((r) => (word & r.mask) === r.value);
  return found?.apply(step) ?? NEXT;
}
