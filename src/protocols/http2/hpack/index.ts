export { type Block, type Field, HpackDecoder, isPlausibleBlock, UnknownRef } from './decoder.ts';
