// x86-64 instruction decoding: length, operands and immediate of one instruction; no mnemonics. Intel SDM volume 2,
// chapter 2 (prefixes, ModRM, VEX, EVEX) and appendix A (opcode maps); AMD's XOP prefix. Bytes that are no 64-bit
// instruction give `undefined`.

/** `[base + index * scale + disp]`, or an absolute address (RIP-relative is resolved). Registers by number, -1 for none. */
export interface MemoryOperand {
  readonly base: number;
  readonly index: number;
  readonly disp: number;
  /** The address is `disp` itself. */
  readonly isAbsolute: boolean;
}

export interface X86Insn {
  readonly address: number;
  readonly length: number;
  /** Opcode map: 1 one-byte, 2 `0F`, 3 `0F 38`, 4 `0F 3A`, 5 other. */
  readonly map: number;
  readonly opcode: number;
  readonly encoding: 'legacy' | 'vex' | 'evex' | 'xop';
  readonly rex: number;
  readonly isWide: boolean;
  /** 0xF2, 0xF3 or 0. */
  readonly repeat: number;
  /** FS or GS is added to the address: it cannot be known. */
  readonly hasSegment: boolean;
  /** -1 without ModRM. */
  readonly mod: number;
  readonly reg: number;
  readonly rm: number;
  /** The extra register of VEX. */
  readonly extra: number;
  readonly memory: MemoryOperand | undefined;
  /** Sign-extended; 0 without. */
  readonly imm: number;
}

// Operand formats, one letter per opcode, 16 per row:
//   .  none            m  ModRM            x  not an instruction in 64-bit mode (or a prefix, handled before)
//   b  imm8            B  ModRM + imm8     z  imm16 or imm32 by operand size   Z  ModRM + that
//   j  rel32           w  imm16            e  imm16 + imm8 (enter)             q  64-bit address (32 with 67)
//   v  imm16/32/64     t  group 3, byte: imm8 for /0 and /1                    T  group 3: immz for /0 and /1
const ONE_BYTE =
  'mmmmbzxxmmmmbzxx' +
  'mmmmbzxxmmmmbzxx' +
  'mmmmbzxxmmmmbzxx' +
  'mmmmbzxxmmmmbzxx' +
  'xxxxxxxxxxxxxxxx' +
  '................' +
  'xxxmxxxxzZbB....' +
  'bbbbbbbbbbbbbbbb' +
  'BZxBmmmmmmmmmmmm' +
  '..........x.....' +
  'qqqq....bz......' +
  'bbbbbbbbvvvvvvvv' +
  'BBw.xxBZe.w..bx.' +
  'mmmmxxx.mmmmmmmm' +
  'bbbbbbbbjjxb....' +
  'x.xx..tT......mm';

const TWO_BYTE =
  'mmmmx.....x.xm.B' +
  'mmmmmmmmmmmmmmmm' +
  'mmmmxxxxmmmmmmmm' +
  '......x.xxxxxxxx' +
  'mmmmmmmmmmmmmmmm' +
  'mmmmmmmmmmmmmmmm' +
  'mmmmmmmmmmmmmmmm' +
  'BBBBmmm.mmxxmmmm' +
  'jjjjjjjjjjjjjjjj' +
  'mmmmmmmmmmmmmmmm' +
  '...mBmxx...mBmmm' +
  'mmmmmmmmmmBmmmmm' +
  'mmBmBBBm........' +
  'mmmmmmmmmmmmmmmm' +
  'mmmmmmmmmmmmmmmm' +
  'mmmmmmmmmmmmmmmm';

/** Opcodes of map `0F` that keep their imm8 under VEX and EVEX. */
const VECTOR_IMM8 = new Set([0x70, 0x71, 0x72, 0x73, 0xc2, 0xc4, 0xc5, 0xc6]);

/** SDM 2.3.11: longer ones fault. */
const MAX_LENGTH = 15;

/** Thrown inside this file only, when the bytes end or make no instruction. */
class NoInstruction extends Error {}

class Cursor {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  byte(): number {
    const value = this.bytes[this.at++];
    if (value === undefined) throw new NoInstruction();
    return value;
  }

  /** Little-endian, signed, 1, 2, 4 or 8 bytes (of 8, values beyond 2^53 lose their low bits: no address is that large). */
  signed(size: number): number {
    let value = 0;
    let scale = 1;
    for (let i = 0; i < size; i++, scale *= 256) value += this.byte() * scale;
    return value >= scale / 2 ? value - scale : value;
  }
}

interface Prefixes {
  is16: boolean;
  isShortAddress: boolean;
  repeat: number;
  hasSegment: boolean;
  rex: number;
}

interface Opcode {
  map: number;
  opcode: number;
  encoding: X86Insn['encoding'];
  /** High bits of the register numbers, already shifted to 8 (16 for EVEX is not kept: those are vector registers). */
  r: number;
  x: number;
  b: number;
  isWide: boolean;
  extra: number;
}

/** The instruction at `bytes[at]`, whose address is `address`. */
export function decodeX86(bytes: Uint8Array, at: number, address: number): X86Insn | undefined {
  try {
    return decode(new Cursor(bytes, at), at, address);
  } catch (error) {
    if (error instanceof NoInstruction) return undefined;
    throw error;
  }
}

function decode(c: Cursor, start: number, address: number): X86Insn | undefined {
  const prefixes = readPrefixes(c);
  const op = readOpcode(c, prefixes);
  const format = formatOf(op);
  if (format === 'x') return undefined;
  const modrm = 'mBZtT'.includes(format) ? readModRm(c, op) : NO_MODRM;
  const imm = readImmediate(c, format, prefixes, op, modrm.reg);
  const length = c.at - start;
  if (length > MAX_LENGTH) return undefined;
  return {
    address,
    length,
    map: op.map,
    opcode: op.opcode,
    encoding: op.encoding,
    rex: prefixes.rex,
    isWide: op.isWide,
    repeat: prefixes.repeat,
    hasSegment: prefixes.hasSegment,
    mod: modrm.mod,
    reg: modrm.reg,
    rm: modrm.rm,
    extra: op.extra,
    memory: modrm.isRipRelative
      ? { base: -1, index: -1, disp: address + length + modrm.disp, isAbsolute: true }
      : modrm.memory,
    imm,
  };
}

function readPrefixes(c: Cursor): Prefixes {
  const p: Prefixes = { is16: false, isShortAddress: false, repeat: 0, hasSegment: false, rex: 0 };
  for (let i = 0; i < MAX_LENGTH; i++) {
    const byte = c.byte();
    if (byte === 0x66) p.is16 = true;
    else if (byte === 0x67) p.isShortAddress = true;
    else if (byte === 0xf2 || byte === 0xf3) p.repeat = byte;
    else if (byte === 0x64 || byte === 0x65) p.hasSegment = true;
    else if (byte !== 0xf0 && byte !== 0x2e && byte !== 0x36 && byte !== 0x3e && byte !== 0x26) {
      if ((byte & 0xf0) === 0x40) p.rex = byte;
      else c.at--;
      return p;
    }
  }
  throw new NoInstruction();
}

function readOpcode(c: Cursor, p: Prefixes): Opcode {
  const first = c.byte();
  if (p.rex === 0) {
    if (first === 0xc5) return readVex2(c);
    if (first === 0xc4) return readVex3(c, 'vex');
    if (first === 0x62) return readEvex(c);
    // 8F is `pop r/m` when the register field, here the map's high bits, is 0.
    if (first === 0x8f && ((c.bytes[c.at] ?? 0) & 0x1f) >= 8) return readVex3(c, 'xop');
  }
  const rex = {
    encoding: 'legacy' as const,
    r: (p.rex & 4) << 1,
    x: (p.rex & 2) << 2,
    b: (p.rex & 1) << 3,
    isWide: (p.rex & 8) !== 0,
    extra: -1,
  };
  if (first !== 0x0f) return { map: 1, opcode: first, ...rex };
  const second = c.byte();
  if (second === 0x38) return { map: 3, opcode: c.byte(), ...rex };
  if (second === 0x3a) return { map: 4, opcode: c.byte(), ...rex };
  return { map: 2, opcode: second, ...rex };
}

const inverted = (byte: number, bit: number): number => ((byte & bit) === 0 ? 8 : 0);

function readVex2(c: Cursor): Opcode {
  const v = c.byte();
  const extra = (~v >> 3) & 15;
  return { map: 2, opcode: c.byte(), encoding: 'vex', r: inverted(v, 0x80), x: 0, b: 0, isWide: false, extra };
}

function readVex3(c: Cursor, encoding: 'vex' | 'xop'): Opcode {
  const v1 = c.byte();
  const v2 = c.byte();
  const map = v1 & 31;
  if (encoding === 'vex' && (map < 1 || map > 3)) throw new NoInstruction();
  return {
    map: encoding === 'vex' ? map + 1 : map,
    opcode: c.byte(),
    encoding,
    r: inverted(v1, 0x80),
    x: inverted(v1, 0x40),
    b: inverted(v1, 0x20),
    isWide: (v2 & 0x80) !== 0,
    extra: (~v2 >> 3) & 15,
  };
}

function readEvex(c: Cursor): Opcode {
  const v1 = c.byte();
  const v2 = c.byte();
  c.byte();
  const map = v1 & 7;
  if (map === 0 || map === 4 || map === 7) throw new NoInstruction();
  return {
    map: map <= 3 ? map + 1 : 5,
    opcode: c.byte(),
    encoding: 'evex',
    r: inverted(v1, 0x80),
    x: inverted(v1, 0x40),
    b: inverted(v1, 0x20),
    isWide: (v2 & 0x80) !== 0,
    extra: (~v2 >> 3) & 15,
  };
}

function formatOf(op: Opcode): string {
  if (op.encoding === 'xop') return op.map === 8 ? 'B' : op.map === 9 ? 'm' : 'Z';
  if (op.map === 1) return ONE_BYTE[op.opcode] ?? 'x';
  if (op.map === 4) return 'B';
  if (op.map !== 2) return 'm';
  if (op.encoding === 'legacy') return TWO_BYTE[op.opcode] ?? 'x';
  if (op.encoding === 'vex' && op.opcode === 0x77) return '.';
  return VECTOR_IMM8.has(op.opcode) ? 'B' : 'm';
}

interface ModRm {
  readonly mod: number;
  readonly reg: number;
  readonly rm: number;
  readonly memory: MemoryOperand | undefined;
  readonly isRipRelative: boolean;
  readonly disp: number;
}

const NO_MODRM: ModRm = { mod: -1, reg: -1, rm: -1, memory: undefined, isRipRelative: false, disp: 0 };

function readModRm(c: Cursor, op: Opcode): ModRm {
  const byte = c.byte();
  const mod = byte >> 6;
  const reg = ((byte >> 3) & 7) | op.r;
  const low = byte & 7;
  if (mod === 3) return { ...NO_MODRM, mod, reg, rm: low | op.b };
  if (low === 5 && mod === 0) return { ...NO_MODRM, mod, reg, isRipRelative: true, disp: c.signed(4) };
  let base = low | op.b;
  let index = -1;
  let hasBase = true;
  if (low === 4) {
    const sib = c.byte();
    index = ((sib >> 3) & 7) | op.x;
    if (index === 4) index = -1;
    base = (sib & 7) | op.b;
    hasBase = (sib & 7) !== 5 || mod !== 0;
  }
  const disp = mod === 1 ? c.signed(1) : mod === 2 || !hasBase ? c.signed(4) : 0;
  const isAbsolute = !hasBase && index === -1;
  return { ...NO_MODRM, mod, reg, memory: { base: hasBase ? base : -1, index, disp, isAbsolute } };
}

function readImmediate(c: Cursor, format: string, p: Prefixes, op: Opcode, reg: number): number {
  const bySize = p.is16 && !op.isWide ? 2 : 4;
  switch (format) {
    case 'b':
    case 'B':
      return c.signed(1);
    case 'z':
    case 'Z':
      return c.signed(op.encoding === 'xop' ? 4 : bySize);
    case 'j':
      return c.signed(4);
    case 'w':
      return c.signed(2);
    case 'e': {
      const frameBytes = c.signed(2);
      c.byte(); // nesting level
      return frameBytes;
    }
    case 'q':
      return c.signed(p.isShortAddress ? 4 : 8);
    case 'v':
      return c.signed(op.isWide ? 8 : bySize);
    case 't':
      return (reg & 7) < 2 ? c.signed(1) : 0;
    case 'T':
      return (reg & 7) < 2 ? c.signed(bySize) : 0;
    default:
      return 0;
  }
}
