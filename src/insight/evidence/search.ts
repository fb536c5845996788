// Searches every call for a needle and keeps where it was found. What leaves the machine is the request (or the answer of a
// traced server); what was found only in what came in is told apart.

import type { BodyCopy, CallCompleted, CallId } from '../../model/index.ts';
import { itemsOfCall } from '../context/call-items.ts';
import { type LineRange, SOURCE_KINDS } from '../context/item.ts';
import { fingerprintText } from '../fingerprint.ts';
import { keep } from '../keep.ts';
import { copyOf } from '../texts.ts';
import { type Match, matchIn } from './match.ts';
import type { Encodings, Needle } from './needle.ts';
import { stringsOf } from './strings.ts';

export interface Hit {
  readonly call: CallId;
  readonly startNs: bigint;
  readonly class: string;
  readonly kind?: string;
  readonly host: string | null;
  readonly model: string | null;
  readonly direction: 'sent' | 'received';
  /** Part of the call, such as `messages[3].content`. */
  readonly part: string;
  readonly how: string;
  readonly offset?: number;
  readonly lines?: readonly LineRange[];
  readonly partial?: true;
  /** How the text came into the prompt, where that is known. */
  readonly mechanism?: string;
}

/** Hits that are listed; more are counted. */
const MAX_HITS = 1_000;
/** Texts whose result is remembered: prompts are sent again with every round. */
const MAX_KNOWN = 100_000;
const MIN_KNOWN_CHARS = 256;

const utf8 = new TextEncoder();

export class Search {
  readonly #needle: Needle;
  readonly #encodings: Encodings;
  readonly #known = new Map<string, Match | null>();
  readonly hits: Hit[] = [];
  sent = 0;
  received = 0;

  constructor(needle: Needle, encodings: Encodings) {
    this.#needle = needle;
    this.#encodings = encodings;
  }

  /** `call` as captured, with its bodies. */
  call(call: CallCompleted): void {
    const { request, response } = call.bodies ?? {};
    const heads = [
      { place: 'path', text: call.path ?? '' },
      ...call.request.headers.map(([name, text]) => ({ place: `header ${name}`, text })),
    ];
    // Mechanisms are of what the body holds: a header that carries the same text got it in another way.
    const head = this.#first(heads, undefined);
    const outgoing = head ?? this.#first(this.#pieces(call), request);
    if (outgoing !== undefined) {
      const mechanism = head === undefined && !call.served ? this.#mechanism(call) : undefined;
      this.#add(call, call.served ? 'received' : 'sent', outgoing, mechanism);
    }
    const { llm } = call;
    const joined = [
      { place: 'answer', text: llm?.text ?? '' },
      { place: 'thinking', text: llm?.thinking ?? '' },
      ...(llm?.toolCalls ?? []).map(({ name, argumentsText }) => ({ place: `tool call ${name}`, text: argumentsText })),
    ];
    const incoming = this.#first(joined, response);
    if (incoming !== undefined) this.#add(call, call.served ? 'sent' : 'received', incoming);
  }

  /** A hash finds whole texts only: the pieces that a prompt is made of are such texts, the prompt is not. */
  #pieces(call: CallCompleted): { readonly place: string; readonly text: string }[] {
    if (this.#needle.kind !== 'sha256') return [];
    return itemsOfCall(call, () => undefined).map(({ kind, path = '', text }) => ({
      place: `${SOURCE_KINDS[kind].label} ${path}`.trim(),
      text,
    }));
  }

  /** Text that belongs to no call: a message of a WebSocket that is no LLM's. */
  message(about: Pick<Hit, 'call' | 'startNs' | 'host'>, text: string, direction: Hit['direction']): boolean {
    const found = this.#first([], { text, whole: true });
    if (found === undefined) return false;
    this.#push({ ...about, class: 'websocket', model: null, direction, part: 'message', ...found.match });
    return true;
  }

  #first(texts: readonly { readonly place: string; readonly text: string }[], body: BodyCopy | undefined) {
    for (const { place, text } of texts) {
      const match = this.#match(text);
      if (match !== undefined) return { place, match };
    }
    // Values with their place first; what is partial gives way to what is whole.
    let partial: { readonly place: string; readonly match: Match } | undefined;
    for (const { place, text } of body === undefined ? [] : stringsOf(body.text)) {
      const match = this.#match(text);
      if (match === undefined) continue;
      if (match.partial === undefined) return { place, match };
      partial ??= { place, match };
    }
    return partial;
  }

  #match(text: string): Match | undefined {
    if (text === '') return undefined;
    if (text.length < MIN_KNOWN_CHARS) return this.#matchNow(text);
    const key = `${text.length}.${fingerprintText(text)}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known ?? undefined;
    const match = this.#matchNow(text);
    keep(this.#known, key, match ?? null, MAX_KNOWN);
    return match;
  }

  #matchNow(text: string): Match | undefined {
    const byHash = this.#hashMatch(text);
    if (byHash !== undefined) return byHash;
    return this.#needle.kind === 'sha256' ? undefined : matchIn(text, this.#needle);
  }

  /** A text, the same without its last line break or with one, and what it stands for in base64. */
  #hashMatch(text: string): Match | undefined {
    const { sha256, kind } = this.#needle;
    if (sha256 === undefined || kind !== 'sha256') return undefined;
    const candidates = [text, text.trimEnd(), `${text}\n`, `${text.trimEnd()}\n`, text.trim()];
    if (candidates.some((one) => this.#isIt(one))) return { how: 'a text with this hash' };
    const fenced = fencedBlock(text) ?? '';
    const blocks = fenced === '' ? [] : [fenced, withoutFirstLine(fenced)];
    if (blocks.some((block) => this.#isIt(block) || this.#isIt(`${block}\n`))) {
      return { how: 'a fenced block with this hash' };
    }
    const bytes = base64Bytes(text);
    return bytes !== undefined && this.#encodings.sha256(bytes) === sha256 ? { how: 'in base64' } : undefined;
  }

  #isIt(text: string): boolean {
    return this.#encodings.sha256(utf8.encode(text)) === this.#needle.sha256;
  }

  #add(
    call: CallCompleted,
    direction: Hit['direction'],
    { place, match }: { readonly place: string; readonly match: Match },
    mechanism?: string,
  ): void {
    this.#push({
      call: call.id,
      startNs: call.startNs,
      class: copyOf(call.class),
      ...(call.kind === undefined ? {} : { kind: copyOf(call.kind) }),
      host: call.host === null ? null : copyOf(call.host),
      model: call.llm?.model == null ? null : copyOf(call.llm.model),
      direction,
      part: copyOf(place),
      ...match,
      ...(mechanism === undefined ? {} : { mechanism }),
    });
  }

  #push(hit: Hit): void {
    this[hit.direction] += 1;
    if (this.hits.length < MAX_HITS) this.hits.push(hit);
  }

  #mechanism(call: CallCompleted): string | undefined {
    const item = itemsOfCall(call, () => undefined).find(({ text }) => this.#match(text) !== undefined);
    if (item === undefined) return undefined;
    return copyOf(`${SOURCE_KINDS[item.kind].label}${item.path === undefined ? '' : ` ${item.path}`}`);
  }
}

/** The first line of a block may name the file in a comment. */
const withoutFirstLine = (text: string): string => text.slice(text.indexOf('\n') + 1);

/** Content of the first fenced block. */
function fencedBlock(text: string): string | undefined {
  const opening = /^[ \t]{0,8}`{3,}.*\n/m.exec(text);
  if (opening === null) return undefined;
  const from = opening.index + opening[0].length;
  const end = text.indexOf('\n```', from);
  return end < 0 ? undefined : text.slice(from, end);
}

const BASE64 = /^[A-Za-z0-9+/\-_\s]+={0,2}\s*$/;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Map([...[...ALPHABET].entries()].map(([value, char]) => [char.charCodeAt(0), value]));
const MIN_BASE64_CHARS = 16;

/** The bytes that a text stands for, when it is nothing but base64. */
function base64Bytes(text: string): Uint8Array | undefined {
  if (text.length < MIN_BASE64_CHARS || !BASE64.test(text.slice(0, 256)) || !BASE64.test(text)) return undefined;
  const plain = text.replace(/[\s=]/g, '').replaceAll('-', '+').replaceAll('_', '/');
  const bytes = new Uint8Array(Math.floor((plain.length * 3) / 4));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (let i = 0; i < plain.length; i += 1) {
    held = ((held << 6) | (VALUES.get(plain.charCodeAt(i)) ?? 0)) & 0xfff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at] = (held >> bits) & 0xff;
    at += 1;
  }
  return bytes;
}
