// Door of the record room: kernel records to values, and the recording file format (docs/recording.md).
export type { DecodedRecord, MalformedRecord } from './decode.ts';
export { decodeRecord, recordDecoder } from './decode.ts';
export type { UserRecord } from './entries.ts';
export { FORMAT_VERSION } from './format.ts';
export * from './layout.gen.ts';
export type { RecordingEnd, RecordingHandlers, RecordingReader, RecordingState } from './reader.ts';
export { createRecordingReader } from './reader.ts';
export type { RecordingFacts, RecordingWriter } from './writer.ts';
export { createRecordingWriter } from './writer.ts';
