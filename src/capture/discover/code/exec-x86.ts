// The effect of one x86-64 instruction on the symbolic state (values.ts). Modelled exactly: moves, address computation,
// constants, push and pop, calls and jumps. Everything else makes its destination unknown and notes the memory it
// touches. System V ABI for AMD64 §3.2: arguments in rdi rsi rdx rcx r8 r9; a call destroys the caller-saved registers.

import type { X86Insn } from './insn-x86.ts';
import {
  add,
  argument,
  constant,
  type Flow,
  isArg,
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

const RAX = 0;
const RCX = 1;
const RDX = 2;
const RSP = 4;
const RBP = 5;
const RSI = 6;
const RDI = 7;
export const ARG_REGISTERS = [RDI, RSI, RDX, RCX, 8, 9] as const;
const CALLEE_SAVED = [3, RBP, 12, 13, 14, 15];
const CALLER_SAVED = [RAX, RCX, RDX, RSI, RDI, 8, 9, 10, 11];

export function entryStateX86(): State {
  const registers: Value[] = Array.from({ length: 16 }, unknown);
  ARG_REGISTERS.forEach((register, index) => {
    registers[register] = argument(index);
  });
  for (const register of CALLEE_SAVED) registers[register] = { kind: 'saved', register };
  registers[RSP] = { kind: 'stack' };
  return { registers, stack: new Map(), hasCopied: false };
}

export const get = (state: State, register: number): Value => state.registers[register] ?? unknown();

export const argsX86 = (state: State): Value[] => ARG_REGISTERS.map((register) => get(state, register));

/** One instruction in its setting, so that the handlers below take one argument. */
interface Step {
  readonly i: X86Insn;
  readonly state: State;
  readonly trace: Trace;
}

const set = ({ state }: Step, register: number, value: Value): void => {
  state.registers[register] = value;
};

/** The memory operand's address. Scaled indexes and segments are beyond the model. */
function place({ i, state }: Step): Place {
  const { memory } = i;
  if (memory === undefined) return { base: unknown(), disp: 0 };
  if (memory.isAbsolute) return { base: constant(memory.disp), disp: 0 };
  if (memory.index !== -1 || memory.base === -1 || i.hasSegment) return { base: unknown(), disp: memory.disp };
  return placeOf(get(state, memory.base), memory.disp);
}

const loadOperand = (s: Step): Value => load(s.state, s.trace, s.i.address, place(s));
const storeOperand = (s: Step, value: Value): void => store(s.state, s.trace, s.i.address, place(s), value);
const readRm = (s: Step): Value => (s.i.memory === undefined ? get(s.state, s.i.rm) : loadOperand(s));

const writeRm = (s: Step, value: Value): void => {
  if (s.i.memory !== undefined) storeOperand(s, value);
  else set(s, s.i.rm, value);
};

/** Without REX, byte registers 4 to 7 are ah, ch, dh, bh: parts of registers 0 to 3. */
const byteRegister = (i: X86Insn, register: number): number =>
  i.rex === 0 && register >= 4 && register < 8 ? register - 4 : register;

function push({ state }: Step, value: Value): void {
  const top = add(get(state, RSP), -8);
  state.registers[RSP] = top;
  const { base, disp } = placeOf(top, 0);
  if (base.kind === 'stack') state.stack.set(disp, value);
}

function pop({ state }: Step): Value {
  const { base, disp } = placeOf(get(state, RSP), 0);
  state.registers[RSP] = add(get(state, RSP), 8);
  return (base.kind === 'stack' ? state.stack.get(disp) : undefined) ?? unknown();
}

function call(s: Step, target: number | undefined, through: Place | undefined): void {
  const args = argsX86(s.state);
  s.trace.calls.push({ at: s.i.address, target, through, args });
  if (isCopyToArg1(args)) s.state.hasCopied = true;
  for (const register of CALLER_SAVED) set(s, register, unknown());
}

/** The instruction's effect; the state is changed in place. */
export function executeX86(i: X86Insn, state: State, trace: Trace): Flow {
  const s: Step = { i, state, trace };
  if (i.encoding !== 'legacy') return executeVector(s);
  if (i.map === 1) return executeOneByte(s);
  if (i.map === 2) return executeTwoByte(s);
  if (i.map === 3 && i.opcode === 0xf1 && i.memory !== undefined && i.repeat === 0) storeOperand(s, unknown());
  else if (i.map === 3 && i.opcode >= 0xf0) set(s, i.reg, unknown());
  else if (i.map === 4 && i.opcode >= 0x14 && i.opcode <= 0x17) writeRm(s, unknown());
  return NEXT;
}

function executeOneByte(s: Step): Flow {
  const flow = controlFlow(s);
  if (flow !== undefined) return flow;
  if (!stackEffect(s) && !moveEffect(s) && !addsPointer(s)) arithmeticEffect(s);
  return NEXT;
}

const isPrivileged = (op: number): boolean =>
  (op >= 0x6c && op <= 0x6f) || (op >= 0xe4 && op <= 0xe7) || (op >= 0xec && op <= 0xef) || op === 0xfa || op === 0xfb;

function controlFlow(s: Step): Flow | undefined {
  const { i } = s;
  const op = i.opcode;
  const next = i.address + i.length;
  if ((op >= 0x70 && op <= 0x7f) || (op >= 0xe0 && op <= 0xe3)) return { kind: 'branch', target: next + i.imm };
  if (op === 0xe9 || op === 0xeb) return { kind: 'jump', target: next + i.imm };
  if (op === 0xc3 || op === 0xc2) return { kind: 'return' };
  if (op === 0xcc || op === 0xf1 || op === 0xf4 || isPrivileged(op)) return { kind: 'stop' };
  if (op === 0xe8) {
    call(s, next + i.imm, undefined);
    return NEXT;
  }
  return op === 0xff ? indirectFlow(s) : undefined;
}

/** Group 5: call and jump through a register or memory. */
function indirectFlow(s: Step): Flow | undefined {
  const kind = s.i.reg & 7;
  if (kind !== 2 && kind !== 4) return undefined;
  const pointer: Value = s.i.memory === undefined ? get(s.state, s.i.rm) : { kind: 'load', ...place(s) };
  const through = pointer.kind === 'load' ? { base: pointer.base, disp: pointer.disp } : undefined;
  const target = pointer.kind === 'const' ? pointer.value : undefined;
  if (kind === 2) {
    call(s, target, through);
    return NEXT;
  }
  s.trace.calls.push({ at: s.i.address, target, through, args: argsX86(s.state) });
  return { kind: 'indirect' };
}

function stackEffect(s: Step): boolean {
  const { i, state } = s;
  const op = i.opcode;
  const register = (op & 7) | ((i.rex & 1) << 3);
  if (op >= 0x50 && op <= 0x57) push(s, get(state, register));
  else if (op >= 0x58 && op <= 0x5f) set(s, register, pop(s));
  else if (op === 0x68 || op === 0x6a) push(s, constant(i.imm));
  else if (op === 0xff && (i.reg & 7) === 6) push(s, readRm(s));
  else if (op === 0x8f) writeRm(s, pop(s));
  else if (op === 0x9c) push(s, unknown());
  else if (op === 0x9d) pop(s);
  else if (op === 0xc9) {
    set(s, RSP, get(state, RBP));
    set(s, RBP, pop(s));
  } else return false;
  return true;
}

/** 32-bit immediates are zero-extended, with REX.W sign-extended. */
const immediate = (i: X86Insn): Value => constant(i.isWide ? i.imm : i.imm >>> 0);

function moveEffect(s: Step): boolean {
  const { i, state } = s;
  const op = i.opcode;
  // A 32-bit copy keeps the symbol: the upper half of a pointer or count is not what is decided by.
  if (op === 0x89) writeRm(s, get(state, i.reg));
  else if (op === 0x8b || op === 0x63) set(s, i.reg, readRm(s));
  else if (op === 0x8d) {
    const { base, disp } = place(s);
    set(s, i.reg, add(base, disp));
  } else if (op >= 0xb8 && op <= 0xbf) set(s, (op & 7) | ((i.rex & 1) << 3), immediate(i));
  else if (op === 0xc7) writeRm(s, immediate(i));
  else if ((op === 0x31 || op === 0x33 || op === 0x29 || op === 0x2b) && i.mod === 3 && i.reg === i.rm) {
    set(s, i.reg, constant(0));
  } else if ((op === 0x81 || op === 0x83) && i.mod === 3) return addImmediate(s);
  else return false;
  return true;
}

/** Group 1 with a register: add, or, adc, sbb, and, sub, xor, cmp. */
function addImmediate(s: Step): boolean {
  const { i, state } = s;
  const operation = i.reg & 7;
  const value = get(state, i.rm);
  if (operation === 0) set(s, i.rm, add(value, i.imm));
  else if (operation === 5) set(s, i.rm, add(value, -i.imm));
  else if (operation === 1 && i.imm === -1) set(s, i.rm, constant(i.isWide ? -1 : 0xffff_ffff));
  // `and rsp, -32`: aligning the stack leaves its slots what they are for this purpose.
  else if (operation !== 7 && i.rm !== RSP) set(s, i.rm, unknown());
  return true;
}

// What the other one-byte opcodes do to their operands, 16 per row:
//   D  read and write r/m     G  write reg, read r/m    A  write rax     C  only read    S  write r/m (no read)
//   X  write both             R  string instruction     .  no register or memory of interest, or handled above
const ONE_BYTE_EFFECTS =
  'DDGGAA..DDGGAA..' +
  'DDGGAA..DDGGAA..' +
  'DDGGAA..DDGGAA..' +
  'DDGGAA..CCCCCC..' +
  '................' +
  '................' +
  '.........G.G....' +
  '................' +
  'DD.DCCXXS.G.S.C.' +
  'XXXXXXXXAA......' +
  'AA..RRRR..RRRRRR' +
  'BBBBBBBB........' +
  'DD....S.........' +
  'DDDD...A........' +
  '................' +
  '......33......D5';

function arithmeticEffect(s: Step): void {
  const { i } = s;
  const op = i.opcode;
  const effect = ONE_BYTE_EFFECTS[op] ?? '.';
  const isByte = (op & 1) === 0 && i.mod !== -1 && op !== 0x8c;
  if (effect === 'X' && i.mod === -1) exchangeWithRax(s);
  else if (effect === 'B') set(s, byteRegister(i, (op & 7) | ((i.rex & 1) << 3)), unknown());
  else if (effect === 'R') stringEffect(s);
  else if (effect === 'A') {
    set(s, RAX, unknown());
    if (op === 0x99) set(s, RDX, unknown());
  } else applyEffect(s, groupEffect(i, effect), isByte);
}

/** Opcodes whose register field chooses the operation. Group 1 /7 is cmp; group 3: test, test, not, neg, then mul and div. */
function groupEffect(i: X86Insn, effect: string): string {
  const operation = i.reg & 7;
  if (effect === '3') return operation < 2 ? 'C' : operation < 4 ? 'D' : 'M';
  if (effect === '5') return operation < 2 ? 'D' : '.';
  return i.opcode >= 0x80 && i.opcode <= 0x83 && operation === 7 ? 'C' : effect;
}

function applyEffect(s: Step, effect: string, isByte: boolean): void {
  const { i } = s;
  const isMemory = i.memory !== undefined;
  const name = (register: number): number => (isByte ? byteRegister(i, register) : register);
  if (isMemory && 'DGCXMl'.includes(effect)) loadOperand(s);
  if ('DSXs'.includes(effect)) {
    if (isMemory) storeOperand(s, unknown());
    else if (effect !== 's') set(s, name(i.rm), unknown());
  }
  if ('GX'.includes(effect)) set(s, name(i.reg), unknown());
  if (effect === 'M') {
    set(s, RAX, unknown());
    set(s, RDX, unknown());
  }
}

/** `mov eax, 0x1e8; add rax, [rdi+0x30]`: a field's address. */
function addsPointer(s: Step): boolean {
  const { i, state } = s;
  const offset = get(state, i.reg);
  if (i.opcode !== 0x03 || i.memory === undefined || offset.kind !== 'const') return false;
  set(s, i.reg, add(loadOperand(s), offset.value));
  return true;
}

function exchangeWithRax(s: Step): void {
  const register = (s.i.opcode & 7) | ((s.i.rex & 1) << 3);
  if (register === RAX) return;
  set(s, RAX, unknown());
  set(s, register, unknown());
}

function stringEffect(s: Step): void {
  const { i, state } = s;
  const isMove = i.opcode === 0xa4 || i.opcode === 0xa5;
  if (isMove) {
    const args = [get(state, RDI), get(state, RSI), get(state, RCX), unknown(), unknown(), unknown()];
    s.trace.calls.push({ at: i.address, target: undefined, through: undefined, args });
    if (i.repeat !== 0 && isArg(args[0], 1)) state.hasCopied = true;
  }
  if (i.opcode === 0xac || i.opcode === 0xad) set(s, RAX, unknown());
  for (const register of [RDI, RSI, RCX]) set(s, register, unknown());
}

// The same letters for map 0F, and: l reads r/m into a vector register, s stores one, T trap, 2 writes rax and rdx,
// b bswap, 8 group 8 (bit tests), m movd.
const TWO_BYTE_EFFECTS =
  '...........T....' +
  'lslsllls........' +
  '........lslsGGll' +
  '.2.2............' +
  'GGGGGGGGGGGGGGGG' +
  'Glllllllllllllll' +
  'llllllllllllllll' +
  'lllllll.....llms' +
  '................' +
  'SSSSSSSSSSSSSSSS' +
  '..2CDD.....DDD.G' +
  'DDGDGGGGGT8DGGGG' +
  'XXlSlGlDbbbbbbbb' +
  'llllllsGllllllll' +
  'lllllllsllllllll' +
  'lllllllllllllllT';

function executeTwoByte(s: Step): Flow {
  const { i } = s;
  const op = i.opcode;
  if (op >= 0x80 && op <= 0x8f) return { kind: 'branch', target: i.address + i.length + i.imm };
  const effect = TWO_BYTE_EFFECTS[op] ?? '.';
  if (effect === 'T') return { kind: 'stop' };
  if (effect === '2') {
    for (const register of op === 0xa2 ? [RAX, RCX, RDX, 3] : [RAX, RDX]) set(s, register, unknown());
  } else if (effect === 'b') set(s, (op & 7) | ((i.rex & 1) << 3), unknown());
  // movzx of a 16-bit word in memory: as with a 32-bit copy the symbol stays.
  else if (op === 0xb7 && i.memory !== undefined) set(s, i.reg, loadOperand(s));
  else if (effect === '8') applyEffect(s, (i.reg & 7) === 4 ? 'C' : 'D', false);
  else if (effect === 'm') applyEffect(s, i.repeat === 0xf3 ? 'l' : 'S', false);
  else applyEffect(s, effect, op >= 0x90 && op <= 0x9f);
  if (op === 0xb0 || op === 0xb1) set(s, RAX, unknown());
  return NEXT;
}

/** VEX, EVEX and XOP: mostly vector registers; what matters is memory stored and the few general registers written. */
function executeVector(s: Step): Flow {
  const { i } = s;
  const op = i.opcode;
  if (i.map === 2) {
    if (TWO_BYTE_EFFECTS[op] === 's') applyEffect(s, 's', false);
    else if (op === 0x7e && i.repeat !== 0xf3 && i.mod === 3 && i.encoding !== 'xop') set(s, i.rm, unknown());
    else if ([0x2c, 0x2d, 0x50, 0x93, 0xc5, 0xd7].includes(op)) set(s, i.reg, unknown());
  } else if (i.map === 3 && i.encoding === 'vex' && op >= 0xf2 && op <= 0xf7) {
    // BMI: andn, bls*, bzhi/pdep/pext, mulx, bextr and shifts.
    if (op !== 0xf3) set(s, i.reg, unknown());
    if (op === 0xf3 || op === 0xf6) set(s, i.extra, unknown());
  } else if (i.map === 4 && op === 0xf0) set(s, i.reg, unknown());
  else if (i.map === 4 && op >= 0x14 && op <= 0x17) applyEffect(s, 'S', false);
  return NEXT;
}
