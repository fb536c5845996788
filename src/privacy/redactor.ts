// The one stage between the engine and every sink: events in, the same events without secrets out. Covers every string of
// every event, keys of free-form objects included; only times and the event's type pass as they are.

import type { CallDeltaEvent, HeaderField, TraceEvent, UnknownField } from '../model/index.ts';
import { HeldText } from './deltas.ts';
import type { KeptRules } from './find.ts';
import { createMask, MASKED, type Mask } from './fingerprint.ts';
import { maskHeaders, maskHeaderValue } from './headers.ts';
import { createMemo } from './memo.ts';
import { isSecretName } from './names.ts';
import { maskArguments } from './process-arguments.ts';
import { maskText } from './text.ts';
import { kindOfSecret } from './token-rules.ts';
import { maskUrl } from './url.ts';

export interface RedactorOptions {
  /** Key of the fingerprints, 32 bytes, one per installation. */
  readonly key: Uint8Array;
  /** True only when the user asked to see secrets: everything passes as it is. */
  readonly reveal: boolean;
  /** Rules beside the room's own; what they find is replaced, too. */
  readonly kept?: KeptRules;
}

export interface Redactor {
  /**
   * The event without secrets. None comes out while a streamed piece is held back; several when a held piece is due
   * before a call's end.
   */
  event(event: TraceEvent): readonly TraceEvent[];
  headers(headers: readonly HeaderField[]): readonly HeaderField[];
  text(text: string): string;
  url(url: string): string;
  /** A plain value (JSON) with every string in it redacted by what its name means. */
  value<Value>(value: Value): Value;
}

/** Calls whose answer is held back at a time; when more stream at once, the oldest loses its held end in the live view. */
const MAX_STREAMS = 4_096;
/** Deeper structures than any API sends; what lies below is searched as JSON text. */
const MAX_DEPTH = 64;

/** Members that pass as they are: made by the tracer. */
const UNTOUCHED = new Set(['type', 'time', 'tsNs']);

/** Members that hold a URL, a request target or an authority. */
const URL_MEMBERS = new Set(['path', 'url', 'host', 'authority']);

type Json = Readonly<Record<string, unknown>>;

/** Shorter texts hold no secret that only the kept rules know. */
const MIN_KEPT_LENGTH = 20;

/** `text`, already searched by the room's own rules, without what the kept rules find in it. */
function maskAlso(text: string, kept: KeptRules | undefined, mask: Mask): string {
  if (kept === undefined || text.length < MIN_KEPT_LENGTH) return text;
  let out = '';
  let done = 0;
  for (const { kind, start, end } of [...kept(text)].sort((a, b) => a.start - b.start)) {
    const secret = text.slice(start, end);
    // A range that holds a replacement is known already: it would hide the scheme or name that was kept.
    if (start < done || MASKED_INSIDE.test(secret)) continue;
    out += text.slice(done, start) + mask(secret, kind);
    done = end;
  }
  return out + text.slice(done);
}

const MASKED_INSIDE = new RegExp(MASKED);

class Walker {
  readonly #mask: Mask;
  /** Free text, with a memory. */
  readonly text: (text: string) => string;

  constructor(mask: Mask, kept: KeptRules | undefined) {
    this.#mask = mask;
    this.text = createMemo((text) => maskAlso(maskText(text, mask), kept, mask));
  }

  /** `value` of the member `name`, redacted by what the name means. */
  member(name: string, value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.#string(name, value);
    if (!Array.isArray(value)) return this.#object(value, depth);
    if (name === 'headers' || name === 'trailers') return maskHeaders(value as HeaderField[], this.#mask);
    if (name === 'unknownHeaders') return value.map((field: UnknownField) => this.#unknownField(field));
    if (name === 'args') return maskArguments(value as string[], this.#mask);
    return value.map((item) => this.member(name, item, depth + 1));
  }

  #string(name: string, value: string): string {
    if (URL_MEMBERS.has(name)) return maskUrl(value, this.#mask);
    if (isSecretName(name) && value !== '') return this.#mask(value, kindOfSecret(value));
    return this.text(value);
  }

  #object(value: unknown, depth: number): unknown {
    if (value === null || typeof value !== 'object') return value;
    if (depth > MAX_DEPTH) return maskText(JSON.stringify(value), this.#mask);
    const members = Object.entries(value).map(([name, inner]) => [
      maskText(name, this.#mask),
      this.member(name, inner, depth + 1),
    ]);
    return Object.fromEntries(members);
  }

  #unknownField(field: UnknownField): UnknownField {
    const name = field.name === undefined ? {} : { name: maskText(field.name, this.#mask) };
    if (field.value === undefined) return { ...field, ...name };
    // Without its name, whether the value is a credential cannot be known: it is one, for safety.
    const value =
      field.name === undefined
        ? this.#mask(field.value, 'unnamed-value')
        : maskHeaderValue(field.name.toLowerCase(), field.value, this.#mask);
    return { ...field, ...name, value };
  }

  event(event: TraceEvent): TraceEvent {
    const members = Object.entries(event as unknown as Json).map(([name, value]) => [
      name,
      UNTOUCHED.has(name) ? value : this.member(name, value, 0),
    ]);
    return Object.fromEntries(members) as unknown as TraceEvent;
  }
}

/** Streams of text by call and kind, in the order of their first piece. */
class Streams {
  readonly #mask: Mask;
  readonly #byCall = new Map<string, Map<CallDeltaEvent['kind'], { held: HeldText; last: CallDeltaEvent }>>();

  constructor(mask: Mask) {
    this.#mask = mask;
  }

  push(event: CallDeltaEvent): string {
    const kinds = this.#byCall.get(event.id) ?? this.#open(event.id);
    const stream = kinds.get(event.kind) ?? { held: new HeldText(this.#mask), last: event };
    kinds.set(event.kind, { ...stream, last: event });
    return stream.held.push(event.text);
  }

  #open(id: string): Map<CallDeltaEvent['kind'], { held: HeldText; last: CallDeltaEvent }> {
    const oldest = this.#byCall.keys().next();
    if (this.#byCall.size >= MAX_STREAMS && oldest.done !== true) this.#byCall.delete(oldest.value);
    const kinds = new Map();
    this.#byCall.set(id, kinds);
    return kinds;
  }

  /** Held ends of a call's streams as further pieces. */
  end(id: string): CallDeltaEvent[] {
    const kinds = this.#byCall.get(id);
    this.#byCall.delete(id);
    const pieces = [...(kinds?.values() ?? [])].map(({ held, last }) => ({ ...last, text: held.end() }));
    return pieces.filter((piece) => piece.text !== '');
  }
}

export function createRedactor({ key, reveal, kept }: RedactorOptions): Redactor {
  if (reveal) return { event: (event) => [event], headers: (h) => h, text: (t) => t, url: (u) => u, value: (v) => v };
  const mask = createMask(key);
  const walker = new Walker(mask, kept);
  const streams = new Streams(mask);
  return {
    event(event) {
      if (event.type === 'call')
        return [...streams.end(event.id).map((piece) => walker.event(piece)), walker.event(event)];
      if (event.type !== 'call.delta') return [walker.event(event)];
      const text = streams.push(event);
      return text === '' ? [] : [walker.event({ ...event, text })];
    },
    headers: (headers) => maskHeaders(headers, mask),
    text: (text) => walker.text(text),
    url: (url) => maskUrl(url, mask),
    value: (value) => walker.member('', value, 0) as typeof value,
  };
}
