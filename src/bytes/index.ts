// The door of the `bytes` room: buffers, lines, text, and decompression. It does not know what the bytes mean.
export { BROTLI_WASM_SPECIFIER, provideBrotli } from './brotli.ts';
export { ByteBuffer } from './byte-buffer.ts';
export { BOMB_RATIO, type CodedTotals, ContentDecoder, codingNames } from './content-decoder.ts';
export { Inflater } from './inflater.ts';
export { LINE_MORE, LINE_TOO_LONG, LineReader } from './line-reader.ts';
export type { DecodeError } from './stage.ts';
export { latin1, lenientUtf8, strictUtf8 } from './text.ts';
