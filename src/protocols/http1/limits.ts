// Bounds of the HTTP/1 parser, with their reasons. docs/limits.md lists them for users.

/** Longest start line or field line. Servers stop at 8 to 64 KiB; tokens and cookies of this size have been seen. */
export const LINE_LIMIT_BYTES = 64 * 1024;
/** All lines of one head or of one trailer section. */
export const HEAD_LIMIT_BYTES = 256 * 1024;
/** Fields of one head or trailer section. Node stops at 2000, nginx and Apache at 100. */
export const FIELD_LIMIT = 2000;
/** Chunk-size line with its extensions (RFC 9112 §7.1.1 asks for a limit; nobody sends long ones in good faith). */
export const CHUNK_LINE_LIMIT_BYTES = 4 * 1024;
/** Requests whose response has not begun. Beyond it responses are taken as not being seen at all. */
export const PIPELINE_LIMIT = 256;
/** While seeking a start line: how much of an endless line is kept. A start line longer than this is not found. */
export const SEEK_KEEP_BYTES = 16 * 1024;
/** Bytes of one direction without any start line, after which a connection that never showed one is given up. */
export const SEEK_GIVE_UP_BYTES = 4 * 1024 * 1024;
/** What a client may send behind a request to switch protocols before the answer is seen. */
export const HELD_LIMIT_BYTES = 64 * 1024;
