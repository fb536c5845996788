// Sets a recording beside the editor's own log: calls, tools and prompts that are in one and not in the other, and token
// counts that differ. Calls are paired by the answer's id, by the server's id, by the turn's id, last by model and time.

import type { CallCompleted, CallId } from '../../model/index.ts';
import { headerValue } from '../../model/index.ts';
import { isOtherModel } from '../caller.ts';
import { copyOf } from '../texts.ts';
import { userTextOf } from '../user-text.ts';
import type { DebugLog, LoggedCall, LoggedTool } from './debug-log.ts';

/** An LLM call of the recording, as far as it is compared. */
export interface WireCall {
  readonly id: CallId;
  readonly atMs: number;
  readonly class: string;
  readonly kind?: string;
  readonly model: string | null;
  readonly responseId?: string;
  readonly requestId?: string;
  readonly serverIds: readonly string[];
  readonly input?: number;
  readonly output?: number;
  readonly cached?: number;
}

export interface Pair {
  readonly wire: WireCall;
  readonly logged: LoggedCall;
  readonly by: 'response id' | 'server id' | 'request id' | 'model and time';
  /** What the two say differently. */
  readonly differences: readonly {
    readonly what: string;
    readonly wire: string | number;
    readonly logged: string | number;
  }[];
}

export interface Compared {
  readonly pairs: readonly Pair[];
  readonly onlyLogged: readonly LoggedCall[];
  /** With the reason why the log does not have it, where that is to be expected. */
  readonly onlyWire: readonly { readonly call: WireCall; readonly expected?: string }[];
  /** Tool calls by name: in the answers of the recording, and in the log. */
  readonly tools: readonly { readonly name: string; readonly wire: number; readonly logged: number }[];
  /** Prompts of the log that no request carried; their number, since texts are not kept. */
  readonly promptsNotSent: number;
  readonly prompts: number;
}

const MAX_CALLS = 50_000;
const MAX_TOOL_NAMES = 1_000;
/** A call's span begins when it is asked for, its request some time later. */
const NEAR_MS = 5_000;

/** Classes and kinds that the extension does not log as chat calls. */
const UNLOGGED: readonly (readonly [RegExp, string])[] = [
  [/^completions\.inline$/, 'ghost text is never in the log'],
  [/^embeddings\./, 'embeddings are no chat calls in the log'],
  [/^(byok|local)\./, 'calls past the extension’s own client may be missing in the log'],
];

export class Comparer {
  readonly #calls: WireCall[] = [];
  readonly #tools = new Map<string, number>();
  readonly #userTexts = new Set<string>();

  /** `atMs`: UTC milliseconds of the call's request. */
  accept(call: CallCompleted, atMs: number): void {
    const { llm } = call;
    if (llm === undefined || this.#calls.length >= MAX_CALLS) return;
    this.#calls.push(wireCall(call, atMs));
    for (const { name } of llm.toolCalls) {
      const count = this.#tools.get(name);
      if (count !== undefined || this.#tools.size < MAX_TOOL_NAMES) this.#tools.set(copyOf(name), (count ?? 0) + 1);
    }
    for (const message of llm.request?.messages ?? []) {
      if (message.role === 'user') this.#userTexts.add(keyOf(userTextOf(message)));
    }
  }

  compare(log: DebugLog): Compared {
    const left = new Set(this.#calls);
    const pairs: Pair[] = [];
    const unpaired = new Set(log.calls);
    for (const by of ['response id', 'server id', 'request id', 'model and time'] as const) {
      for (const logged of unpaired) {
        const wire = findWire(left, logged, by);
        if (wire === undefined) continue;
        left.delete(wire);
        unpaired.delete(logged);
        pairs.push({ wire, logged, by, differences: differencesOf(wire, logged) });
      }
    }
    return {
      pairs: pairs.sort((a, b) => a.wire.atMs - b.wire.atMs),
      onlyLogged: [...unpaired],
      onlyWire: [...left].map((call) => ({ call, ...expectation(call) })),
      tools: toolRows(this.#tools, log.tools),
      promptsNotSent: log.prompts.filter((prompt) => !this.#userTexts.has(keyOf(prompt))).length,
      prompts: log.prompts.length,
    };
  }
}

const keyOf = (text: string): string => copyOf(text.replace(/\s+/g, ' ').trim().slice(0, 400));

function wireCall(call: CallCompleted, atMs: number): WireCall {
  const { llm, id, kind } = call;
  const requestId = headerValue(call.request.headers, 'x-request-id');
  const serverIds = ['x-request-id', 'x-github-request-id'].flatMap(
    (name) => headerValue(call.response.headers, name) ?? [],
  );
  const { input, output, cached } = llm?.usage ?? {};
  return {
    id,
    atMs,
    class: copyOf(call.class),
    ...(kind === undefined ? {} : { kind: copyOf(kind) }),
    model: llm?.model == null ? null : copyOf(llm.model),
    ...(llm?.responseId === undefined ? {} : { responseId: copyOf(llm.responseId) }),
    ...(requestId === undefined ? {} : { requestId: copyOf(requestId) }),
    serverIds: serverIds.map(copyOf),
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
    ...(cached === undefined ? {} : { cached }),
  };
}

function findWire(calls: ReadonlySet<WireCall>, logged: LoggedCall, by: Pair['by']): WireCall | undefined {
  if (by === 'response id')
    return logged.responseId === undefined ? undefined : first(calls, (call) => call.responseId === logged.responseId);
  if (by === 'server id')
    return first(calls, (call) => logged.serverId !== undefined && call.serverIds.includes(logged.serverId));
  if (by === 'request id') {
    if (logged.requestId === undefined) return undefined;
    // All rounds of a turn share the id: the one with the same counts, else the next one.
    const rounds = [...calls].filter((call) => call.requestId === logged.requestId);
    return (
      rounds.find((call) => call.input === logged.input && call.output === logged.output) ??
      nearest(rounds, logged) ??
      rounds[0]
    );
  }
  return nearest(
    [...calls].filter((call) => isSameModel(call, logged)),
    logged,
  );
}

function first(calls: ReadonlySet<WireCall>, holds: (call: WireCall) => boolean): WireCall | undefined {
  for (const call of calls) if (holds(call)) return call;
  return undefined;
}

const isSameModel = ({ model }: WireCall, logged: LoggedCall): boolean =>
  model !== null && logged.model !== undefined && !isOtherModel(model, logged.model);

function nearest(calls: readonly WireCall[], { atMs }: LoggedCall): WireCall | undefined {
  if (atMs === null) return undefined;
  const near = calls.filter((call) => Math.abs(call.atMs - atMs) <= NEAR_MS);
  return near.sort((a, b) => Math.abs(a.atMs - atMs) - Math.abs(b.atMs - atMs))[0];
}

function differencesOf(wire: WireCall, logged: LoggedCall): Pair['differences'] {
  const differences: { what: string; wire: string | number; logged: string | number }[] = [];
  if (wire.model !== null && logged.model !== undefined && isOtherModel(wire.model, logged.model)) {
    differences.push({ what: 'model', wire: wire.model, logged: logged.model });
  }
  for (const what of ['input', 'output', 'cached'] as const) {
    const [a, b] = [wire[what], logged[what]];
    if (a !== undefined && b !== undefined && a !== b) differences.push({ what: `${what} tokens`, wire: a, logged: b });
  }
  return differences;
}

function expectation({ class: callClass }: WireCall): { readonly expected?: string } {
  const expected = UNLOGGED.find(([name]) => name.test(callClass))?.[1];
  return expected === undefined ? {} : { expected };
}

function toolRows(wire: ReadonlyMap<string, number>, logged: readonly LoggedTool[]): Compared['tools'] {
  const counts = new Map<string, number>();
  for (const { name } of logged) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...new Set([...wire.keys(), ...counts.keys()])]
    .sort()
    .map((name) => ({ name, wire: wire.get(name) ?? 0, logged: counts.get(name) ?? 0 }));
}
