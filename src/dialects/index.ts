// Door of the room: LLM wire formats.

export { isNudge } from './anthropic-messages.ts';
export type { Dialect, DialectHint, ReplyDecoder, StreamMessage } from './dialect.ts';
export { type JsonRead, MAX_JSON_DEPTH, readJson } from './json.ts';
export { hasNesSections, NES_MODEL, type NesSection, nesSections } from './nes.ts';
export { MAX_REPLY_CHARS } from './reply-builder.ts';
export { bestDialect, DIALECTS, dialectByName } from './table.ts';
export { isObject, type JsonObject, listOf, numberOrNone, objectOf, textOf, textOrNone } from './values.ts';
