// The door of the `protocols` room and the table of what can be decoded. To add a protocol: one file, one row.
import { http1 } from './http1/index.ts';
import { http2 } from './http2/index.ts';
import type { Protocol } from './protocol.ts';
import { websocket } from './websocket.ts';

/** Order = order of detection: the protocol with the strongest proof first. */
export const PROTOCOLS: readonly Protocol[] = [http2, http1, websocket];

export { BODY_FORMATS, type BodyFormatParser, bodyFormatOf } from './body-format.ts';
export { beginsConnection, DETECT_LIMIT_BYTES, type Detection, detect } from './detect.ts';
export { http2 } from './http2/index.ts';
export type { ConnInfo, Peek, Protocol, ProtocolParser, ProtoEvent } from './protocol.ts';
export { type SseEvent, SseParser } from './sse.ts';
export { openWebSocket, type WebSocketOptions } from './websocket.ts';
