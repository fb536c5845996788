// Looks at completed calls, secrets in place, and says what should not have been sent: one event for each new finding, and
// at the end the findings with how often and to whom. Equal secrets are one finding, by fingerprint. An event never holds
// the secret.

import {
  type CallBodies,
  type CallEvent,
  type ConnectionEvent,
  type FindingEvent,
  NegotiatedConnections,
} from '../model/index.ts';
import { type CallText, textsOf } from './call-texts.ts';
import { createFinder, type Found, type KeptRules } from './find.ts';
import { createFingerprint } from './fingerprint.ts';
import { findPersonal } from './personal.ts';
import { ruleNamed } from './rules.ts';
import { sourceOf } from './source-of.ts';
import { type Conduct, conductOf, type HostJudge, machineFields } from './wire-conduct.ts';

export interface InspectorOptions {
  readonly key: Uint8Array;
  readonly kept: KeptRules;
  readonly judge: HostJudge;
  /** True: hints at a person are findings, too. */
  readonly personal: boolean;
}

/** One finding over a whole session. */
export interface Finding extends FindingEvent {
  /** UTC of the first and the last call that had it. */
  readonly firstSeen: string;
  readonly lastSeen: string;
  /** Calls that sent it. */
  readonly timesSent: number;
  /** True when a model's answer had it. */
  readonly answeredBack: boolean;
  /** Who received it. */
  readonly receivers: readonly { readonly host: string | null; readonly model: string | null }[];
}

export interface Inspector {
  /** What becomes known of a connection, before its calls. */
  connection(event: ConnectionEvent): void;
  /** Findings of this call that are new, or that reached somebody new. */
  call(call: CallEvent, bodies?: CallBodies): readonly FindingEvent[];
  /** In the order of their first appearance. */
  findings(): readonly Finding[];
  /** Findings beyond the bound, counted only. */
  readonly left: number;
}

/** A hostile session can hold any number of secrets; a report of more is read by nobody. */
const MAX_FINDINGS = 10_000;
const MAX_RECEIVERS = 100;

interface Entry {
  readonly first: FindingEvent;
  lastSeen: string;
  timesSent: number;
  /** Call that was counted last. */
  lastCall: string;
  answeredBack: boolean;
  /** By direction and host. */
  readonly receivers: Map<string, FindingEvent>;
}

class CallInspector implements Inspector {
  readonly #options: InspectorOptions;
  readonly #find: (text: string) => readonly Found[];
  readonly #fingerprint: (secret: string) => string;
  readonly #entries = new Map<string, Entry>();
  readonly #connections = new NegotiatedConnections();
  left = 0;

  constructor(options: InspectorOptions) {
    this.#options = options;
    this.#find = createFinder(options.kept);
    this.#fingerprint = createFingerprint(options.key);
  }

  connection(event: ConnectionEvent): void {
    this.#connections.learn(event);
  }

  call(call: CallEvent, bodies?: CallBodies): readonly FindingEvent[] {
    const { judge, personal } = this.#options;
    const news: FindingEvent[] = [];
    const negotiated = this.#connections.ofCall(call.id);
    for (const conduct of conductOf(call, judge, negotiated)) this.#note(this.#conductEvent(call, conduct), news);
    if (personal) for (const conduct of machineFields(call)) this.#note(this.#conductEvent(call, conduct), news);
    for (const text of textsOf(call, bodies)) this.#text(call, text, news);
    this.#path(call, news);
    return news;
  }

  findings(): readonly Finding[] {
    return [...this.#entries.values()].map(({ first, lastSeen, timesSent, answeredBack, receivers }) => ({
      ...first,
      firstSeen: first.time,
      lastSeen,
      timesSent,
      answeredBack,
      receivers: [...receivers.values()]
        .filter(({ dir }) => dir === 'sent')
        .map(({ host = null, model = null }) => ({ host, model })),
    }));
  }

  #text(call: CallEvent, text: CallText, news: FindingEvent[]): void {
    const personal = this.#options.personal && text.dir === 'sent' ? findPersonal(text.text) : [];
    for (const found of [...this.#find(text.text), ...personal]) {
      this.#note(this.#textEvent(call, text, found), news);
    }
  }

  #path(call: CallEvent, news: FindingEvent[]): void {
    if (call.path === null || !/[?&;#]/.test(call.path)) return;
    for (const found of this.#find(call.path)) {
      const conduct = { rule: 'credential-in-url', subject: found.secret, where: `URL (${found.kind})` };
      this.#note(this.#conductEvent(call, conduct), news);
    }
  }

  #base(
    call: CallEvent,
    rule: string,
  ): Pick<FindingEvent, 'type' | 'time' | 'tsNs' | 'rule' | 'severity' | 'title' | 'call' | 'host'> {
    const { time, tsNs, id, host } = call;
    const { severity, title } = ruleNamed(rule);
    return { type: 'finding', time, tsNs, rule, severity, title, call: id, host };
  }

  #conductEvent(call: CallEvent, { rule, subject, where }: Conduct): FindingEvent {
    const isSecret = rule === 'credential-in-url';
    return {
      ...this.#base(call, rule),
      where: isSecret ? where : `${where}: ${subject}`,
      fingerprint: this.#fingerprint(subject),
      dir: 'sent',
    };
  }

  #textEvent(call: CallEvent, { dir, where, text, message, part, item, file }: CallText, found: Found): FindingEvent {
    const { kind, secret, offset, length, encoded } = found;
    const source = dir === 'sent' ? { ...sourceOf(text, offset), ...(item && { item }), ...(file && { file }) } : {};
    return {
      ...this.#base(call, kind),
      where,
      fingerprint: this.#fingerprint(secret),
      dir,
      ...(call.llm !== undefined && { model: call.llm.model }),
      ...(message !== undefined && { message }),
      ...(part !== undefined && { part }),
      offset,
      length,
      ...source,
      ...(encoded && { encoded }),
    };
  }

  #note(event: FindingEvent, news: FindingEvent[]): void {
    const key = `${event.rule} ${event.fingerprint}`;
    const known = this.#entries.get(key) ?? this.#open(key, event);
    if (known === null) return;
    const receiver = `${event.dir} ${event.host}`;
    const isNew = !known.receivers.has(receiver);
    if (isNew && known.receivers.size < MAX_RECEIVERS) {
      known.receivers.set(receiver, event);
      news.push(event);
    }
    known.lastSeen = event.time;
    if (event.dir === 'received') known.answeredBack = true;
    else if (known.lastCall !== event.call) {
      known.timesSent += 1;
      known.lastCall = event.call;
    }
  }

  #open(key: string, first: FindingEvent): Entry | null {
    if (this.#entries.size >= MAX_FINDINGS) {
      this.left += 1;
      return null;
    }
    const entry: Entry = {
      first,
      lastSeen: first.time,
      timesSent: 0,
      lastCall: '',
      answeredBack: false,
      receivers: new Map(),
    };
    this.#entries.set(key, entry);
    return entry;
  }
}

export const createInspector = (options: InspectorOptions): Inspector => new CallInspector(options);
