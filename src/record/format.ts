// Constants of the recording file, shared by writer and reader. The format's manual is docs/recording.md.

/** The newest format version that this code reads. Raised only when an old reader would misread the file. */
export const FORMAT_VERSION = 2;

/** What a file without a compressed block says: version 1 reads it as well. */
export const PLAIN_FORMAT_VERSION = 1;

/** First bytes of every recording. As in PNG: a high byte and both line ends reveal a transfer that mangled the file. */
export const MAGIC = Uint8Array.of(0x8f, 0x54, 0x52, 0x43, 0x0d, 0x0a, 0x1a, 0x0a);

/** Before each frame's payload: its length and its CRC-32, both u32 little-endian. */
export const FRAME_HEAD_BYTES = 8;

/** A writer closes a block at this size: large enough that framing costs nothing, small enough to lose little in a crash. */
export const BLOCK_TARGET_BYTES = 256 * 1024;

/**
 * A reader refuses larger frames, and contents that are larger once unpacked. A block exceeds its target by one record at
 * most: 16 KiB of plaintext, or a process record whose arguments Linux bounds to 6 MiB (3/4 of the 8 MiB stack that
 * _STK_LIM assumes).
 */
export const MAX_FRAME_BYTES = 8 * 1024 * 1024;

/**
 * Rows of an index. A file of more blocks than this (8 GiB of full ones) has several in one row: 32,768 rows of 40 bytes
 * stay far below a frame's limit, and a writer needs no more memory however long it runs.
 */
export const MAX_INDEX_ROWS = 32_768;

/** The end of a whole file: the offset of its last frame, u64 little-endian. */
export const TRAILER_BYTES = 8;

export const CLOCK = 'CLOCK_MONOTONIC';
