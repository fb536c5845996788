// What changes in a body, instead of the changed body: a conversation sends its secrets again with every round, so that nearly
// all bodies of a recording may change, each in a few places.

export interface Patch {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** Equal bytes within a patch are cheaper than a patch more: a placeholder keeps its separators. */
const MAX_EQUAL = 16;

/** Where `after` differs from `before`, which is as long, in order. */
export function patchesOf(before: Uint8Array, after: Uint8Array): Patch[] {
  const patches: Patch[] = [];
  let from = -1;
  let last = 0;
  const take = (): void => {
    // A copy (`slice` of a Buffer is none): a part of `after` would keep all of it in memory.
    if (from >= 0) patches.push({ at: from, bytes: new Uint8Array(after.subarray(from, last + 1)) });
    from = -1;
  };
  for (let at = 0; at < after.length; at += 1) {
    if (before[at] === after[at]) continue;
    if (from >= 0 && at - last > MAX_EQUAL) take();
    if (from < 0) from = at;
    last = at;
  }
  take();
  return patches;
}

/** A piece of the body, which begins at `offset` of it, with the patches that fall into it; the same array when none does. */
export function patched(piece: Uint8Array, offset: number, patches: readonly Patch[]): Uint8Array {
  let out = piece;
  for (const { at, bytes } of patches) {
    const from = Math.max(at, offset);
    const to = Math.min(at + bytes.length, offset + piece.length);
    if (from >= to) continue;
    if (out === piece) out = new Uint8Array(piece);
    out.set(bytes.subarray(from - at, to - at), from - offset);
  }
  return out;
}
