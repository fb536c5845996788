// Body formats: what a decoded body is made of, chosen by content type. A body without a row is just bytes.

import { type SseEvent, SseParser } from './sse.ts';

export interface BodyFormatHost {
  message(event: SseEvent): void;
  problem(code: string, detail: string): void;
}

export interface BodyFormatParser {
  push(bytes: Uint8Array): void;
  /** Bytes of the body are missing here. */
  gap(): void;
}

export interface BodyFormat {
  readonly name: 'sse';
  /** Media type without parameters, lower-case. */
  readonly mediaType: string;
  readonly open: (host: BodyFormatHost) => BodyFormatParser;
}

/** Order has no meaning: media types are unique. */
export const BODY_FORMATS: readonly BodyFormat[] = [
  {
    name: 'sse',
    mediaType: 'text/event-stream',
    open: (host) =>
      new SseParser({ event: (event) => host.message(event), problem: (code, detail) => host.problem(code, detail) }),
  },
];

/** The row for a Content-Type value, or undefined. */
export function bodyFormatOf(contentType: string | undefined): BodyFormat | undefined {
  const mediaType = contentType?.split(';')[0]?.trim().toLowerCase();
  return BODY_FORMATS.find((format) => format.mediaType === mediaType);
}
