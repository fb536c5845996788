// How a fuzzer's bytes become a connection: pieces of three octets (flags, length) and their content. Every byte string is a
// valid script, so that a fuzzer never wastes an input.
//
//   | ....gd | length (16) | content…      d: 1 received, 0 sent; g: a hole of that length, without content
import type { Dir } from '../../src/model/index.ts';

export type Step =
  | { readonly dir: Dir; readonly bytes: Uint8Array }
  | { readonly dir: Dir; readonly lostBytes: number };

const RECEIVED = 1;
const HOLE = 2;
const HEAD_BYTES = 3;
const MAX_PIECE = 0xffff;

export function parseScript(input: Uint8Array): Step[] {
  const steps: Step[] = [];
  for (let at = 0; at + HEAD_BYTES <= input.length; ) {
    const [flags = 0, high = 0, low = 0] = input.subarray(at, at + HEAD_BYTES);
    const dir = flags & RECEIVED ? 'in' : 'out';
    const length = (high << 8) | low;
    at += HEAD_BYTES;
    if (flags & HOLE) steps.push({ dir, lostBytes: length });
    else {
      if (length > 0) steps.push({ dir, bytes: input.subarray(at, at + length) });
      at += length;
    }
  }
  return steps;
}

export function writeScript(steps: readonly Step[]): Uint8Array {
  const parts = steps.flatMap((step) => {
    const flags = step.dir === 'in' ? RECEIVED : 0;
    const isHole = 'lostBytes' in step;
    const length = Math.min(isHole ? step.lostBytes : step.bytes.length, MAX_PIECE);
    const head = Uint8Array.of(flags | (isHole ? HOLE : 0), length >> 8, length & 0xff);
    return isHole ? [head] : [head, step.bytes.subarray(0, length)];
  });
  return Uint8Array.from(Buffer.concat(parts));
}
