// `tracer find`: did this text or file leave the machine? Yes with the places, no, or unknown with what could hide it. The
// text is itself a secret: it is not printed, and redaction does not hide where it was found.

import { EXIT } from '../../errors.ts';
import { BlindSpots, type Needle, Search } from '../../insight/index.ts';
import type { CallCompleted, CaptureRecord, EngineEvent } from '../../model/index.ts';
import { type AnalysedCall, type AnalysisSettings, analyse } from '../analysis.ts';
import { callIdText } from '../call-events.ts';
import { createShown, type Shown } from '../shown.ts';
import type { SessionResult } from '../types.ts';
import { ENCODINGS } from './needle-input.ts';
import type { FindResult, Verdict } from './result.ts';
import { findText } from './text.ts';

export interface FindSettings extends AnalysisSettings {
  readonly needle: Needle;
}

export interface FindAnswer extends SessionResult {
  readonly text: Iterable<string>;
  readonly json: Iterable<unknown>;
}

const EXIT_OF: Readonly<Record<Verdict, number>> = { yes: EXIT.ok, no: EXIT.no, unknown: EXIT.incomplete };

export async function find(file: string, settings: FindSettings): Promise<FindAnswer> {
  const visitor = new Finder(settings.needle);
  let shown: Shown | undefined;
  const { problem } = await analyse(file, { ...settings, keepBodies: true }, (redactor) => {
    shown = createShown(redactor);
    return {
      call: ({ raw }: AnalysedCall) => visitor.call(raw),
      event: (event) => visitor.blind.event(event),
      engine: (event: EngineEvent) => visitor.engine(event),
      record: (record: CaptureRecord) => visitor.record(record),
    };
  });
  if (problem !== null) visitor.blind.damaged(problem.message);
  else if (!visitor.sawEnd) visitor.blind.damaged('the recording ends early');
  if (shown === undefined) throw new Error('the analysis made no visitor');
  const result = visitor.result(settings.needle.kind);
  const safe = hiding(shown, settings.needle);
  return { text: findText(result, safe), json: [json(result, safe)], exitCode: EXIT_OF[result.verdict], problem };
}

/** Places and names may hold the searched text, too. */
function hiding(shown: Shown, { text }: Needle): Shown {
  const hide = (line: string): string => (text === '' ? line : line.replaceAll(text, '<searched text>'));
  return { ...shown, text: (line) => shown.text(hide(line)), line: (line) => shown.line(hide(line)) };
}

/** Messages of WebSockets that wait to be told from the calls that they are. */
const MAX_WAITING = 10_000;

class Finder {
  readonly #search: Search;
  readonly blind = new BlindSpots();
  /** The session’s last record was read: nothing was cut off. */
  sawEnd = false;
  /** Hosts of WebSocket exchanges, by their id. */
  readonly #sockets = new Map<string, { readonly host: string | null }>();

  constructor(needle: Needle) {
    this.#search = new Search(needle, ENCODINGS);
  }

  call(call: CallCompleted): void {
    this.#search.call(call);
    this.blind.call(call, callIdText(call.id), call.served ? call.bodies?.response : call.bodies?.request);
  }

  record(record: CaptureRecord): void {
    if (record.kind === 'session' && record.phase === 'end') this.sawEnd = true;
  }

  /** Requests inside a WebSocket are calls, and searched as such; every other message is searched here. */
  engine(event: EngineEvent): void {
    this.blind.engine(event);
    if (event.type === 'HeadReceived' && event.side === 'request')
      this.#noteHost(callIdText(event.id), event.head.authority);
    if (event.type === 'ExchangeEnded') this.#sockets.delete(callIdText(event.id));
    if (event.type !== 'MessageReceived' || event.format !== 'websocket-text') return;
    if (event.side === 'request' && /"type"\s*:\s*"response\.create"/.test(event.data)) return;
    if (event.side === 'response' && /"type"\s*:\s*"response\./.test(event.data.slice(0, 4096))) return;
    const host = this.#sockets.get(callIdText(event.id))?.host ?? null;
    const about = { call: event.id, startNs: event.tsNs, host };
    this.#search.message(about, event.data, event.side === 'request' ? 'sent' : 'received');
  }

  #noteHost(id: string, host: string | null): void {
    if (this.#sockets.size < MAX_WAITING) this.#sockets.set(id, { host });
  }

  result(what: Needle['kind']): FindResult {
    const { hits, sent, received } = this.#search;
    const blindSpots = this.blind.list;
    const verdict = sent > 0 ? 'yes' : blindSpots.length > 0 ? 'unknown' : 'no';
    return { verdict, what, hits, sent, received, blindSpots, moreBlindSpots: this.blind.more };
  }
}

function json(result: FindResult, safe: Shown) {
  return {
    ...result,
    hits: result.hits.map(({ call, startNs, ...hit }) => ({
      ...hit,
      call: callIdText(call),
      tsNs: String(startNs),
      part: safe.text(hit.part),
      host: hit.host === null ? null : safe.text(hit.host),
      model: hit.model === null ? null : safe.text(hit.model),
      ...(hit.mechanism === undefined ? {} : { mechanism: safe.text(hit.mechanism) }),
    })),
    blindSpots: result.blindSpots.map((spot) => ({ ...spot, where: safe.text(spot.where), why: safe.text(spot.why) })),
  };
}
