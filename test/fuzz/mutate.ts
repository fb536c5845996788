// Changes bytes at random, as fuzzers do: flips, numbers at edges, removed, repeated and moved pieces, pieces of another
// input. Deterministic by seed.
import { xorshift32 } from '../kit/service/bytes.mjs';

const EDGES = [0, 1, 2, 3, 9, 10, 13, 31, 32, 63, 64, 127, 128, 254, 255] as const;
const MAX_CHANGES = 8;
const MAX_PIECE = 64;
/** Larger inputs only cost time: limits are tested by their own cases. */
const MAX_INPUT = 64 * 1024;

export type Random = (below: number) => number;

export function randomOf(seed: number): Random {
  const next = xorshift32(seed);
  return (below) => (below <= 1 ? 0 : next() % below);
}

type Change = (input: Buffer, other: Uint8Array, random: Random) => Buffer;

const CHANGES: readonly Change[] = [
  (input, _, random) => set(input, random(input.length), (byte) => byte ^ (1 << random(8))),
  (input, _, random) => set(input, random(input.length), () => EDGES[random(EDGES.length)] as number),
  (input, _, random) => set(input, random(input.length), () => random(256)),
  (input, _, random) => {
    const at = random(input.length);
    return Buffer.concat([input.subarray(0, at), input.subarray(at + 1 + random(MAX_PIECE))]);
  },
  (input, _, random) => insert(input, random(input.length), piece(input, random)),
  (input, other, random) => insert(input, random(input.length), piece(other, random)),
  (input, other, random) =>
    Buffer.concat([input.subarray(0, random(input.length)), other.subarray(random(other.length))]),
  (input, _, random) => input.subarray(0, random(input.length)),
];

function set(input: Buffer, at: number, change: (byte: number) => number): Buffer {
  const copy = Buffer.from(input);
  if (copy.length > 0) copy[at] = change(copy[at] as number);
  return copy;
}

const insert = (input: Buffer, at: number, bytes: Uint8Array): Buffer =>
  Buffer.concat([input.subarray(0, at), bytes, input.subarray(at)]);

function piece(bytes: Uint8Array, random: Random): Uint8Array {
  const at = random(bytes.length);
  return bytes.subarray(at, at + 1 + random(MAX_PIECE));
}

/** `input` with one to eight changes. */
export function mutate(input: Uint8Array, other: Uint8Array, random: Random): Uint8Array {
  let changed: Buffer = Buffer.from(input);
  for (let left = 1 + random(MAX_CHANGES); left > 0; left--) {
    changed = (CHANGES[random(CHANGES.length)] as Change)(changed, other, random);
  }
  return Uint8Array.from(changed.subarray(0, MAX_INPUT));
}
