// The inner loop of the passes over x86 code: 200 million byte positions, each asked "does the number here, plus where it
// stands, fall into this range?". Plain JavaScript takes about 3 ns for each; with WebAssembly's 128-bit instructions 16
// positions take one round. The module is put together here from its opcodes, so that no binary and no build step is needed.
// WebAssembly core specification 2.0, §5 (binary format) and vector instructions.
//
//     scan(p, end, bias, step, last, mask, pattern, out) → end of out
//
// reads bytes [p - 2, end + 19) of its memory and writes, for every 16-byte group in which a position q has
//     (u32 at q) + bias + (q - p) * step  ≤  last      (unsigned, modulo 2^32), and
//     (u16 at q - 2) & mask = pattern                  (the opcode in front),
// the group's address minus 2 as a 32-bit word to `out`.

/** Bytes per round. */
export const GROUP_BYTES = 16;
/** The last position of a group reads 3 bytes beyond it; a vector load from it 15. */
export const READ_AHEAD_BYTES = 19;
/** Bytes of the opcode test in front of a position. */
export const OPCODE_BYTES = 2;

const I32 = 0x7f;
const V128 = 0x7b;

// Parameters and locals of the function. P points to the opcode bytes: 2 before the position asked.
const P = 0;
const END = 1;
const BIAS = 2;
const STEP = 3;
const LAST = 4;
const MASK = 5;
const PATTERN = 6;
const OUT = 7;
const PARAMETERS = 8;
/** Per-lane bias: bias + {0, 4, 8, 12} * step, advanced with p. */
const LANES = 8;
const LAST_LANES = 9;
/** `step` in each lane: position q + 1 needs the bias of q plus this. */
const STEP_LANES = 10;
const MASK_LANES = 11;
const PATTERN_LANES = 12;
const SUM = 13;
const SHIFTED = 14;
const ANY = 15;
const VECTOR_LOCALS = 8;

const get = (local: number): number[] => [0x20, local];
const set = (local: number): number[] => [0x21, local];
const tee = (local: number): number[] => [0x22, local];
const i32 = (value: number): number[] => [0x41, value];
const I32_ADD = [0x6a];
const I32_MUL = [0x6c];
const I32_LT_U = [0x49];
const VECTOR = 0xfd;
const SPLAT = [VECTOR, 0x11];
const VECTOR_ADD = [VECTOR, 0xae, 0x01];
const VECTOR_MUL = [VECTOR, 0xb5, 0x01];
const VECTOR_MIN_U = [VECTOR, 0xb7, 0x01];
const VECTOR_EQ = [VECTOR, 0x37];
const VECTOR_AND = [VECTOR, 0x4e];
const VECTOR_OR = [VECTOR, 0x50];
const ANY_TRUE = [VECTOR, 0x53];
const LANE_OFFSETS = [VECTOR, 0x0c, 0, 0, 0, 0, 4, 0, 0, 0, 8, 0, 0, 0, 12, 0, 0, 0];
const loadAt = (offset: number): number[] => [...get(P), VECTOR, 0x00, 0, offset];
const storeWord = [0x36, 2, 0];
const LOOP = [0x03, 0x40];
const IF = [0x04, 0x40];
const END_BLOCK = [0x0b];
const BRANCH_TO_LOOP = [0x0d, 0];

/** Is the opcode in front of position p + shift the one sought? All ones in the lanes where it is. */
const testOpcode = (shift: number): number[] => [
  ...loadAt(shift),
  ...get(MASK_LANES),
  ...VECTOR_AND,
  ...get(PATTERN_LANES),
  ...VECTOR_EQ,
];

/** `any |= (load at p + shift) + shifted bias ≤ last && opcode`; unsigned ≤ is min(x, last) = x. */
const testShift = (shift: number): number[] => [
  ...loadAt(shift + OPCODE_BYTES),
  ...get(SHIFTED),
  ...VECTOR_ADD,
  ...tee(SUM),
  ...get(LAST_LANES),
  ...VECTOR_MIN_U,
  ...get(SUM),
  ...VECTOR_EQ,
  ...testOpcode(shift),
  ...VECTOR_AND,
  ...(shift === 0 ? [] : [...get(ANY), ...VECTOR_OR]),
  ...set(ANY),
  ...(shift === 3 ? [] : [...get(SHIFTED), ...get(STEP_LANES), ...VECTOR_ADD, ...set(SHIFTED)]),
];

const BODY = [
  ...[1, VECTOR_LOCALS, V128],
  ...[...get(BIAS), ...SPLAT, ...LANE_OFFSETS, ...get(STEP), ...SPLAT, ...VECTOR_MUL, ...VECTOR_ADD, ...set(LANES)],
  ...[...get(LAST), ...SPLAT, ...set(LAST_LANES), ...get(STEP), ...SPLAT, ...set(STEP_LANES)],
  ...[...get(MASK), ...SPLAT, ...set(MASK_LANES), ...get(PATTERN), ...SPLAT, ...set(PATTERN_LANES)],
  ...LOOP,
  ...[...get(LANES), ...set(SHIFTED)],
  ...[0, 1, 2, 3].flatMap(testShift),
  ...[...get(ANY), ...ANY_TRUE, ...IF],
  ...[...get(OUT), ...get(P), ...storeWord, ...get(OUT), ...i32(4), ...I32_ADD, ...set(OUT)],
  ...END_BLOCK,
  ...[...get(LANES), ...get(STEP), ...i32(GROUP_BYTES), ...I32_MUL, ...SPLAT, ...VECTOR_ADD, ...set(LANES)],
  ...[...get(P), ...i32(GROUP_BYTES), ...I32_ADD, ...tee(P), ...get(END), ...I32_LT_U, ...BRANCH_TO_LOOP],
  ...END_BLOCK,
  ...get(OUT),
  ...END_BLOCK,
];

/** Unsigned LEB128 in two bytes: up to 16,383. */
const size = (n: number): number[] => [(n & 0x7f) | 0x80, n >> 7];
const section = (id: number, content: readonly number[]): number[] => [id, ...size(content.length), ...content];
const name = (text: string): number[] => [text.length, ...Buffer.from(text, 'latin1')];

const MODULE = [
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  ...section(1, [1, 0x60, PARAMETERS, ...new Array(PARAMETERS).fill(I32), 1, I32]),
  ...section(2, [1, ...name('host'), ...name('memory'), 0x02, 0x00, 1]),
  ...section(3, [1, 0]),
  ...section(7, [1, ...name('scan'), 0x00, 0]),
  ...section(10, [1, ...size(BODY.length), ...BODY]),
];

/** Opcode bytes in front of a position: the two bytes there, as a little-endian number, masked. */
export interface Opcode {
  readonly mask: number;
  readonly pattern: number;
}

type Scan = (
  p: number,
  end: number,
  bias: number,
  step: number,
  last: number,
  mask: number,
  pattern: number,
  out: number,
) => number;

export interface ScanKernel {
  /** The memory that `scan` reads and writes. */
  readonly memory: Uint8Array;
  readonly scan: Scan;
}

/** What is used of the WebAssembly namespace, which Node's type package does not declare. */
declare const WebAssembly: {
  readonly Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer };
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> };
};

const PAGE_BYTES = 65_536;

/** A kernel with at least `memoryBytes` of memory. */
export function makeScanKernel(memoryBytes: number): ScanKernel {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(memoryBytes / PAGE_BYTES) });
  const instance = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(MODULE)), { host: { memory } });
  return { memory: new Uint8Array(memory.buffer), scan: instance.exports['scan'] as Scan };
}
