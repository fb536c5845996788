// Holds what a connection said until its protocol is known, in the order in which it came, and replays it then. Bounded:
// detection decides at DETECT_LIMIT_BYTES of a direction at the latest.

import { ByteBuffer, latin1 } from '../bytes/index.ts';
import type { Dir } from '../model/index.ts';
import { beginsConnection, DETECT_LIMIT_BYTES, type Detection, detect, PROTOCOLS } from '../protocols/index.ts';

export type HeldPart =
  | { readonly dir: Dir; readonly tsNs: bigint; readonly bytes: Uint8Array }
  | { readonly dir: Dir; readonly tsNs: bigint; readonly lostBytes: number };

/** A record is at most 16 KiB, so the limit is passed by less than one record. */
const HELD_LIMIT_BYTES = DETECT_LIMIT_BYTES * 2;

/** Up to here the first records are looked at one by one; beyond, and of more, only when a sixteenth more has come. */
const FREQUENT_BYTES = 8 * 1024;
const FREQUENT_LOOKS = 256;

export class Detector {
  readonly #isFresh: boolean;
  readonly #held: Readonly<Record<Dir, ByteBuffer>> = {
    out: new ByteBuffer(HELD_LIMIT_BYTES),
    in: new ByteBuffer(HELD_LIMIT_BYTES),
  };
  #parts: HeldPart[] = [];
  #hasGap = false;
  #heldBytes = 0;
  /** Held bytes at which the next look is worth it: each look reads all of them. */
  #nextLookBytes = 0;
  #looks = 0;

  /** `isFresh`: the connection is known to be seen from its first byte. */
  constructor(isFresh: boolean) {
    this.#isFresh = isFresh;
  }

  add(dir: Dir, bytes: Uint8Array, tsNs: bigint): Detection {
    const copy = bytes.slice();
    this.#parts.push({ dir, tsNs, bytes: copy });
    this.#held[dir].append(copy.subarray(0, this.#held[dir].room));
    this.#heldBytes += copy.length;
    if (this.#heldBytes < this.#nextLookBytes) return { kind: 'more' };
    const isFrequent = this.#heldBytes <= FREQUENT_BYTES && ++this.#looks < FREQUENT_LOOKS;
    if (!isFrequent) this.#nextLookBytes = this.#heldBytes + (this.#heldBytes >> 4);
    return this.look();
  }

  /** What the held bytes say. */
  look(): Detection {
    const isWhole = this.#isFresh && !this.#hasGap;
    const peek = { out: this.#held.out.view(), in: this.#held.in.view(), outWhole: isWhole, inWhole: isWhole };
    return detect(PROTOCOLS, peek);
  }

  gap(dir: Dir, lostBytes: number, tsNs: bigint): void {
    this.#hasGap = true;
    this.#parts.push({ dir, tsNs, lostBytes });
    // What stands before a hole and behind it must not be read as one run.
    this.#held[dir].clear();
  }

  /** Whether one direction begins with what only the start of a connection (or of an idle one) can be. */
  get isFromStart(): boolean {
    if (this.#hasGap) return false;
    return [this.#held.out, this.#held.in].some((held) => beginsConnection(head(held), this.#isFresh));
  }

  /** All parts in order, handed over. */
  take(): readonly HeldPart[] {
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }
}

const head = (buffer: ByteBuffer): string => latin1(buffer.view().subarray(0, 8192));
