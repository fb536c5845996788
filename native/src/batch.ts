// A batch: many records of a ring buffer in one piece of memory, and the walk over them without copying.
//
// A batch is a row of frames: u32 length of the sample (little-endian), u32 zero, the sample, zeros up to a multiple of 8.
// So frames and samples start at multiples of 8, and a sample may be read through any typed array.
import { binding } from './binding.ts';
import { unwrap } from './error.ts';

const FRAME_HEADER_BYTES = 8;

/** Records as they came from the ring, in order. The memory belongs to the receiver; views of it may be kept. */
export class Batch {
  /** The frames; `byteOffset` is 0. */
  readonly bytes: Uint8Array;
  /** How many records are in it, at least 1. */
  readonly records: number;

  constructor(bytes: Uint8Array, records: number) {
    this.bytes = bytes;
    this.records = records;
  }

  /** A view of each sample. No copy: the views share the batch's memory. */
  *[Symbol.iterator](): Generator<Uint8Array, void, void> {
    const { bytes } = this;
    // Released: a DataView of memory that was given back would throw.
    if (bytes.byteLength === 0) return;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at < bytes.byteLength; ) {
      const lengthBytes = view.getUint32(at, true);
      const start = at + FRAME_HEADER_BYTES;
      yield bytes.subarray(start, start + lengthBytes);
      at = (start + lengthBytes + 7) & ~7;
    }
  }

  /**
   * Gives the memory back for the next batch at once instead of at the next garbage collection. Every view of it becomes
   * empty (length 0), so call it only when nothing of the batch was kept. Worth it at tens of megabytes a second.
   */
  release(): void {
    unwrap(binding.bufferDetach(this.bytes.buffer));
  }
}
