// `tracer scrub`: a recording that can be shown to others. Two passes over the recording: the first reads every body whole and
// makes its scrubbed form, the second writes the session anew with those. Secrets become placeholders (placeholder.ts).

import { objectOf, readJson } from '../../dialects/index.ts';
import { EXIT } from '../../errors.ts';
import type { CaptureRecord, EngineEvent, ExchangeId, HeaderField, Side } from '../../model/index.ts';
import { type Mask, maskArguments, maskHeaders, maskText, maskUrl } from '../../privacy/index.ts';
import { type AnalysisVisitor, analyse } from '../analysis.ts';
import { createKeptRules } from '../kept-rules.ts';
import { type Changes, Rebuilder } from '../rebuild/rebuilder.ts';
import type { Log, SessionResult } from '../types.ts';
import { toolVersion } from '../version.ts';
import { type Patch, patched, patchesOf } from './patches.ts';
import { createPlaceholderMask, type PlaceholderMask } from './placeholder.ts';
import { openRecordingOutput } from './recording-output.ts';
import { scrubBody, scrubMessages } from './scrub-text.ts';

export interface ScrubSettings {
  readonly files: readonly string[];
  readonly outputFile: string;
  readonly user: string;
  readonly log: Log;
  readonly stop: AbortSignal;
}

export interface ScrubResult extends SessionResult {
  /** Different secrets that were replaced. */
  readonly secrets: number;
}

const partKey = ({ connection, exchange }: ExchangeId, side: Side, message?: number): string =>
  `${connection} ${exchange} ${side}${message === undefined ? '' : ` ${message}`}`;

/** Redaction's search with placeholders, then what only the kept rules know. */
function createScrubber(): PlaceholderMask & { readonly change: (text: string) => string } {
  const kept = createKeptRules();
  const placeholders = createPlaceholderMask(maskText);
  const { mask, isMade } = placeholders;
  const change = (text: string): string => {
    let out = maskText(text, mask);
    for (const { kind, start, end } of kept(out)) {
      const secret = out.slice(start, end);
      // A range with a placeholder is known already: it would hide the name that stands before it.
      if (!isMade(secret)) out = out.slice(0, start) + mask(secret, kind) + out.slice(end);
    }
    return out;
  };
  return { ...placeholders, change };
}

/** First pass: bodies whole, then where their scrubbed forms differ. */
class BodyCollector {
  readonly #change: (text: string) => string;
  readonly #open = new Map<string, Uint8Array[]>();
  readonly #messages = new Map<string, Uint8Array[]>();
  readonly #patches = new Map<string, readonly Patch[]>();

  constructor(change: (text: string) => string) {
    this.#change = change;
  }

  /** Of a body, or of the message with this index. */
  patches(id: ExchangeId, side: Side, message?: number): readonly Patch[] {
    return this.#patches.get(partKey(id, side, message)) ?? [];
  }

  event(event: EngineEvent): void {
    if (event.type === 'BodyReceived') this.#add(this.#open, partKey(event.id, event.side), event.bytes.slice());
    else if (event.type === 'MessageReceived' && event.format !== 'sse') {
      const bytes = event.bytes?.slice() ?? Buffer.from(event.data, 'utf8');
      this.#add(this.#messages, partKey(event.id, event.side), bytes);
    } else if (event.type === 'ExchangeEnded')
      for (const side of ['request', 'response'] as const) this.#end(event.id, side);
  }

  #add(to: Map<string, Uint8Array[]>, key: string, bytes: Uint8Array): void {
    const pieces = to.get(key);
    if (pieces === undefined) to.set(key, [bytes]);
    else pieces.push(bytes);
  }

  #end(id: ExchangeId, side: Side): void {
    const key = partKey(id, side);
    const body = Buffer.concat(this.#open.get(key) ?? []);
    this.#note(key, body, scrubBody(body, this.#change));
    const messages = this.#messages.get(key) ?? [];
    for (const [index, scrubbed] of scrubMessages(messages, this.#change).entries())
      this.#note(partKey(id, side, index), messages[index] ?? scrubbed, scrubbed);
    this.#open.delete(key);
    this.#messages.delete(key);
  }

  #note(key: string, before: Uint8Array, after: Uint8Array): void {
    const patches = before === after ? [] : patchesOf(before, after);
    if (patches.length > 0) this.#patches.set(key, patches);
  }
}

/** Facts of a call stand beside its heads, and repeat what may be secret in them. */
function scrubFacts(json: string, mask: Mask): string {
  return JSON.stringify(objectOf(readJson(json).value), (name, value: unknown) => {
    if (typeof value !== 'string') return value;
    return name === 'path' ? maskUrl(value, mask) : maskText(value, mask);
  });
}

function scrubRecord(record: CaptureRecord, mask: Mask): CaptureRecord {
  if (record.kind === 'process')
    return { ...record, exe: maskText(record.exe, mask), args: maskArguments(record.args, mask) };
  if (record.kind === 'sni') return { ...record, host: maskText(record.host, mask) };
  if (record.kind === 'facts' && record.alpn !== undefined) return { ...record, alpn: maskText(record.alpn, mask) };
  if (record.kind === 'call-facts') return { ...record, json: scrubFacts(record.json, mask) };
  return record;
}

function changesOf(collected: BodyCollector, mask: Mask): Changes {
  const headers = (fields: readonly HeaderField[]): HeaderField[] => maskHeaders(fields, mask);
  return {
    requestHead: (head) => ({
      ...head,
      path: head.path === null ? null : maskUrl(head.path, mask),
      authority: head.authority === null ? null : maskUrl(head.authority, mask),
      headers: headers(head.headers),
      unknown: head.unknown.map(({ value, ...field }) =>
        value === undefined ? field : { ...field, value: mask(value, 'secret') },
      ),
    }),
    responseHead: (head) => ({
      ...head,
      ...(head.reason !== undefined && { reason: maskText(head.reason, mask) }),
      headers: headers(head.headers),
      unknown: head.unknown.map(({ value, ...field }) =>
        value === undefined ? field : { ...field, value: mask(value, 'secret') },
      ),
    }),
    body: (id, side, bytes, offset) => patched(bytes, offset, collected.patches(id, side)),
    message: (id, side, bytes, index) => patched(bytes, 0, collected.patches(id, side, index)),
    record: (record) => scrubRecord(record, mask),
  };
}

export async function scrub(settings: ScrubSettings): Promise<ScrubResult> {
  const { files, log, stop } = settings;
  const { change, mask, count } = createScrubber();
  // Any key: the analysis redacts what is not looked at here.
  const analysis = { reveal: true, key: new Uint8Array(32), log, stop };
  const collected = new BodyCollector(change);
  const first = await analyse(files, analysis, { engine: (event) => collected.event(event) });
  if (first.problem !== null && first.summary === null) return { ...first, secrets: 0 };
  const output = openRecordingOutput(settings.outputFile, settings.user, toolVersion());
  try {
    const rebuilder = new Rebuilder(changesOf(collected, mask), (record) => output.add(record));
    const visitor: AnalysisVisitor = {
      record: (record) => rebuilder.record(record),
      engine: (event) => rebuilder.event(event),
      // Waited for: reading is faster than packing, and what waits to be packed is memory.
      ready: () => output.flush(),
    };
    await analyse(files, { ...analysis, log: { ...log, warn: () => {} } }, visitor);
  } finally {
    await output.close();
  }
  return { exitCode: first.problem?.exitCode ?? EXIT.ok, problem: first.problem, secrets: count() };
}
