// The frame header of HTTP/2 and the rules that a single frame must keep (RFC 9113 §4.1, §6; RFC 7838, 8336, 9218 for
// the extension types). Knows nothing of streams or of what came before.

export const FRAME = {
  data: 0x0,
  headers: 0x1,
  priority: 0x2,
  rstStream: 0x3,
  settings: 0x4,
  pushPromise: 0x5,
  ping: 0x6,
  goaway: 0x7,
  windowUpdate: 0x8,
  continuation: 0x9,
  /** RFC 7838 §4. */
  altsvc: 0xa,
  /** RFC 8336 §2. */
  origin: 0xc,
  /** RFC 9218 §7.1. */
  priorityUpdate: 0x10,
} as const;

export const FLAG = {
  ack: 0x1,
  endStream: 0x1,
  endHeaders: 0x4,
  padded: 0x8,
  priority: 0x20,
} as const;

export const SETTING = {
  headerTableSize: 0x1,
  enablePush: 0x2,
  maxFrameSize: 0x5,
  enableConnectProtocol: 0x8,
} as const;

export const HEADER_BYTES = 9;
/** RFC 9113 §6.5.2: initial SETTINGS_MAX_FRAME_SIZE. */
export const DEFAULT_FRAME_BYTES = 16_384;

/** What the client sends first, RFC 9113 §3.4. */
export const PREFACE = Uint8Array.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', (char) => char.charCodeAt(0));

/**
 * ```
 *  Length (24) | Type (8) | Flags (8) | R (1) | Stream Identifier (31)
 * ```
 */
export interface FrameHeader {
  /** Of the payload. */
  lenBytes: number;
  type: number;
  flags: number;
  stream: number;
  /** The reserved bit: must be 0, ignored by receivers. */
  reserved: boolean;
}

export const newFrameHeader = (): FrameHeader => ({ lenBytes: 0, type: 0, flags: 0, stream: 0, reserved: false });

/** Fills `into` from nine octets at `at`. */
export function readFrameHeader(bytes: Uint8Array, at: number, into: FrameHeader): void {
  const byte = (offset: number): number => bytes[at + offset] as number;
  into.lenBytes = (byte(0) << 16) | (byte(1) << 8) | byte(2);
  into.type = byte(3);
  into.flags = byte(4);
  into.reserved = byte(5) >= 0x80;
  into.stream = ((byte(5) & 0x7f) << 24) | (byte(6) << 16) | (byte(7) << 8) | byte(8);
}

export const readUint32 = (bytes: Uint8Array, at: number): number =>
  (((bytes[at] as number) << 24) |
    ((bytes[at + 1] as number) << 16) |
    ((bytes[at + 2] as number) << 8) |
    (bytes[at + 3] as number)) >>>
  0;

export const readUint31 = (bytes: Uint8Array, at: number): number => readUint32(bytes, at) & 0x7fffffff;

export interface FrameFault {
  readonly code: string;
  readonly detail: string;
  readonly spec: string;
}

interface Rule {
  readonly name: string;
  readonly spec: string;
  /** On stream 0 (`connection`), never on it (`stream`), or either. */
  readonly on: 'connection' | 'stream' | 'any';
  readonly exactBytes?: number;
  readonly minBytes?: number;
  /** Flags that the specification defines for the type. */
  readonly flags: number;
}

const RULES: readonly (Rule | undefined)[] = rulesByType();

function rulesByType(): (Rule | undefined)[] {
  const rules: (Rule | undefined)[] = [];
  rules[FRAME.data] = { name: 'DATA', spec: 'RFC 9113 §6.1', on: 'stream', flags: 0x9 };
  rules[FRAME.headers] = { name: 'HEADERS', spec: 'RFC 9113 §6.2', on: 'stream', flags: 0x2d };
  rules[FRAME.priority] = { name: 'PRIORITY', spec: 'RFC 9113 §6.3', on: 'stream', exactBytes: 5, flags: 0 };
  rules[FRAME.rstStream] = { name: 'RST_STREAM', spec: 'RFC 9113 §6.4', on: 'stream', exactBytes: 4, flags: 0 };
  rules[FRAME.settings] = { name: 'SETTINGS', spec: 'RFC 9113 §6.5', on: 'connection', flags: 0x1 };
  rules[FRAME.pushPromise] = { name: 'PUSH_PROMISE', spec: 'RFC 9113 §6.6', on: 'stream', minBytes: 4, flags: 0xc };
  rules[FRAME.ping] = { name: 'PING', spec: 'RFC 9113 §6.7', on: 'connection', exactBytes: 8, flags: 0x1 };
  rules[FRAME.goaway] = { name: 'GOAWAY', spec: 'RFC 9113 §6.8', on: 'connection', minBytes: 8, flags: 0 };
  rules[FRAME.windowUpdate] = { name: 'WINDOW_UPDATE', spec: 'RFC 9113 §6.9', on: 'any', exactBytes: 4, flags: 0 };
  rules[FRAME.continuation] = { name: 'CONTINUATION', spec: 'RFC 9113 §6.10', on: 'stream', flags: 0x4 };
  rules[FRAME.altsvc] = { name: 'ALTSVC', spec: 'RFC 7838 §4', on: 'any', minBytes: 2, flags: 0 };
  rules[FRAME.origin] = { name: 'ORIGIN', spec: 'RFC 8336 §2', on: 'connection', flags: 0 };
  rules[FRAME.priorityUpdate] = {
    name: 'PRIORITY_UPDATE',
    spec: 'RFC 9218 §7.1',
    on: 'connection',
    minBytes: 4,
    flags: 0,
  };
  return rules;
}

export const isKnownType = (type: number): boolean => RULES[type] !== undefined;
export const hasExactSize = (type: number): boolean => RULES[type]?.exactBytes !== undefined;

/** The rule that this header breaks, or undefined. Unknown types keep every rule (§5.5: they are ignored). */
export function checkFrameHeader(header: FrameHeader): FrameFault | undefined {
  const rule = RULES[header.type];
  if (rule === undefined) return undefined;
  const { name, spec } = rule;
  const detail = `${name} of ${header.lenBytes} octets on stream ${header.stream}`;
  if (!fitsSize(header, rule)) return { code: 'h2.frame-size', detail, spec };
  if (rule.on === 'stream' && header.stream === 0) return { code: 'h2.frame-stream', detail, spec };
  if (rule.on === 'connection' && header.stream !== 0) return { code: 'h2.frame-stream', detail, spec };
  return undefined;
}

function fitsSize(header: FrameHeader, rule: Rule): boolean {
  if (rule.exactBytes !== undefined) return header.lenBytes === rule.exactBytes;
  if (header.type === FRAME.settings)
    return header.flags & FLAG.ack ? header.lenBytes === 0 : header.lenBytes % 6 === 0;
  if (header.flags & rule.flags & FLAG.padded && header.lenBytes === 0) return false;
  return header.lenBytes >= (rule.minBytes ?? 0);
}

/** True when a conforming sender of today may have sent this header: known type, defined flags only, reserved bit 0. */
export function isConforming(header: FrameHeader): boolean {
  const rule = RULES[header.type];
  if (rule === undefined || header.reserved || header.flags & ~rule.flags) return false;
  return checkFrameHeader(header) === undefined;
}

/** Payload without padding (§6.1); undefined when the padding is as long as the payload or longer. */
export function withoutPadding(flags: number, payload: Uint8Array): Uint8Array | undefined {
  if (!(flags & FLAG.padded)) return payload;
  const padBytes = payload[0] ?? 0;
  return padBytes < payload.length ? payload.subarray(1, payload.length - padBytes) : undefined;
}
