// Linear passes over large parts of a file, block by block in one reused buffer.

import type { ByteSource } from './source.ts';

/** Large enough that the system call costs nothing, small enough to stay in the second-level cache. */
export const BLOCK_BYTES = 1024 * 1024;

/** Calls `visit` with consecutive blocks of `[offset, offset + sizeBytes)`. Each block begins with the last `overlapBytes`
 * of the one before, so that what lies across a boundary is seen whole (and, if it fits in the overlap, twice). */
export function forEachBlock(
  source: ByteSource,
  extent: { readonly offset: number; readonly sizeBytes: number },
  overlapBytes: number,
  visit: (block: Uint8Array, at: number) => void,
): void {
  const buffer = new Uint8Array(BLOCK_BYTES);
  const end = extent.offset + extent.sizeBytes;
  for (let at = extent.offset; at < end; at += BLOCK_BYTES - overlapBytes) {
    const wanted = buffer.subarray(0, Math.min(BLOCK_BYTES, end - at));
    const got = source.read(at, wanted);
    visit(wanted.subarray(0, got), at);
    if (got < wanted.length || at + got >= end) return;
  }
}

export interface Occurrence {
  readonly at: number;
  /** Which of the needles. */
  readonly needle: number;
}

/** Every occurrence of any needle in the extent, one pass for all of them, at most `limit`. */
export function findAll(
  source: ByteSource,
  extent: { readonly offset: number; readonly sizeBytes: number },
  needles: readonly Uint8Array[],
  limit: number,
): Occurrence[] {
  const found = new Map<number, Occurrence>();
  const overlapBytes = Math.max(0, ...needles.map((n) => n.length - 1));
  forEachBlock(source, extent, overlapBytes, (block, at) => {
    const bytes = Buffer.from(block.buffer, block.byteOffset, block.length);
    needles.forEach((bytesSought, needle) => {
      let i = bytes.indexOf(bytesSought);
      // A short needle may lie in the overlap and be met twice: the map keeps one.
      for (; i >= 0 && found.size < limit; i = bytes.indexOf(bytesSought, i + 1))
        found.set(at + i, { at: at + i, needle });
    });
  });
  return [...found.values()];
}
