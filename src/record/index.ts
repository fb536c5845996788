// Door of the record room: kernel records to values, and the recording file format (docs/recording.md).
export type { PendingBlock } from './block-buffer.ts';
export type { IndexRow, RecordingIndex } from './block-index.ts';
export { indexOffsetIn, readIndex } from './block-index.ts';
export type { DecodedRecord, MalformedRecord } from './decode.ts';
export { decodeRecord, recordDecoder } from './decode.ts';
export { encodeRecord, type KernelRecord } from './encode.ts';
export type { UserRecord } from './entries.ts';
export { FORMAT_VERSION, MAX_FRAME_BYTES, TRAILER_BYTES } from './format.ts';
export * from './layout.gen.ts';
export type {
  RecordingEnd,
  RecordingHandlers,
  RecordingHeader,
  RecordingReader,
  RecordingState,
  Unpack,
} from './reader.ts';
export { createRecordingReader } from './reader.ts';
export type { Checksum, RecordingFacts, RecordingWriter } from './writer.ts';
export { createRecordingWriter } from './writer.ts';
