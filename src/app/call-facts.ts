// What a recording without bodies keeps of a call of a model: its name, the models, the counts. Written beside the blanked
// bodies (`--no-bodies --record`), put back into the call when it is replayed. No text of a body is among it: texts, arguments,
// messages of errors and reasoning are left out where the facts are made.
//
// What comes back is from a file and may be anything: every member is read by its type, what does not fit is left out.

import { isObject, type JsonObject, listOf, numberOrNone, objectOf, readJson, textOrNone } from '../dialects/index.ts';
import type { CallCompleted, CallFactsRecord, ConnectionId, ConnectionKey, LlmSummary, Usage } from '../model/index.ts';
import { bodilessLlm } from '../privacy/index.ts';

/** Null: nothing of this call would be missing on replay. */
export function factsRecordOf(call: CallCompleted, key: ConnectionKey): CallFactsRecord | null {
  const { llm, id, tsNs, startNs } = call;
  if (llm === undefined) return null;
  const { pid, startNs: processStartNs, ssl, generation } = key;
  const { class: callClass, kind, evidence, confidence, firstTokenNs, firstByteNs, host, path, status } = call;
  const facts = {
    class: callClass,
    kind,
    evidence,
    confidence,
    llm: { ...bodilessLlm(llm), answeredBy: llm.answeredBy },
    firstTokenAgeNs: ageText(firstTokenNs, startNs),
    // Of a message of a WebSocket nothing else is left.
    ...(id.message !== undefined && {
      firstByteAgeNs: ageText(firstByteNs, startNs),
      sentBytes: call.request.bytes,
      receivedBytes: call.response.bytes,
      host,
      path,
      status,
    }),
  };
  return {
    kind: 'call-facts',
    pid,
    startNs: processStartNs,
    ssl,
    generation,
    tsNs,
    ageNs: tsNs - startNs,
    exchange: id.exchange,
    ...(id.message !== undefined && { message: id.message }),
    json: JSON.stringify(facts),
  };
}

const ageText = (tsNs: bigint | null, startNs: bigint): string | undefined =>
  tsNs === null ? undefined : String(tsNs - startNs);

const keyText = ({ pid, startNs, ssl, generation }: ConnectionKey): string => `${pid} ${startNs} ${ssl} ${generation}`;

/** Facts that wait for their call; they come moments before it ends. */
const MAX_WAITING = 10_000;

/** Puts facts back into calls. Costs nothing where a recording has none. */
export class KeptCallFacts {
  readonly #waiting = new Map<string, CallFactsRecord>();
  readonly #keys = new Map<ConnectionId, string>();
  /** The other way round. */
  readonly #connections = new Map<string, ConnectionId>();
  /** Exchanges whose messages are calls of their own, by connection and number. */
  readonly #sockets = new Set<string>();

  opened(connection: ConnectionId, key: ConnectionKey): void {
    const text = keyText(key);
    this.#keys.set(connection, text);
    this.#connections.set(text, connection);
  }

  closed(connection: ConnectionId): void {
    const text = this.#keys.get(connection);
    // A connection that was let go and met again has another number under the same key.
    if (text !== undefined && this.#connections.get(text) === connection) this.#connections.delete(text);
    this.#keys.delete(connection);
  }

  /** The call of a WebSocket's message that the record is about; undefined when it waits for its call. */
  accept(record: CallFactsRecord): CallCompleted | undefined {
    const key = keyText(record);
    if (record.message === undefined) {
      if (this.#waiting.size >= MAX_WAITING) this.#waiting.clear();
      this.#waiting.set(`${key} ${record.exchange} ${record.tsNs - record.ageNs}`, record);
      return undefined;
    }
    const connection = this.#connections.get(key);
    if (connection === undefined) return undefined;
    if (this.#sockets.size >= MAX_WAITING) this.#sockets.clear();
    this.#sockets.add(`${connection} ${record.exchange}`);
    return messageCall(record, connection);
  }

  /** True when the call is a WebSocket whose messages were calls: it is not one more. */
  isSocket({ connection, exchange, message }: CallCompleted['id']): boolean {
    return message === undefined && this.#sockets.has(`${connection} ${exchange}`);
  }

  /** The call with its facts, when there are any. */
  complete(call: CallCompleted): CallCompleted {
    if (this.#waiting.size === 0) return call;
    const key = `${this.#keys.get(call.id.connection) ?? ''} ${call.id.exchange} ${call.startNs}`;
    const record = this.#waiting.get(key);
    if (record === undefined) return call;
    this.#waiting.delete(key);
    return { ...call, ...factsOf(record) };
  }
}

function factsOf(record: CallFactsRecord) {
  const json = objectOf(readJson(record.json).value);
  const [callClass, kind, evidence] = [
    textOrNone(json['class']),
    textOrNone(json['kind']),
    textOrNone(json['evidence']),
  ];
  const { confidence } = json;
  const llm = llmOf(json['llm']);
  return {
    ...(callClass !== undefined && { class: callClass }),
    ...(kind !== undefined && { kind }),
    ...(evidence !== undefined && { evidence }),
    ...((confidence === 'high' || confidence === 'medium' || confidence === 'low') && { confidence }),
    ...(llm !== undefined && { llm }),
    firstTokenNs: atNs(json['firstTokenAgeNs'], record),
  } satisfies Partial<CallCompleted>;
}

function messageCall(record: CallFactsRecord, connection: ConnectionId): CallCompleted {
  const json = objectOf(readJson(record.json).value);
  const body = (bytes: unknown) => ({
    bytes: numberOrNone(bytes) ?? 0,
    decodedBytes: numberOrNone(bytes) ?? 0,
    headers: [],
  });
  const { message = 0 } = record;
  return {
    type: 'CallCompleted',
    id: { connection, exchange: record.exchange, message },
    startNs: record.tsNs - record.ageNs,
    tsNs: record.tsNs,
    class: 'copilot.unknown',
    evidence: '',
    confidence: 'low',
    host: textOrNone(json['host']) ?? null,
    method: 'GET',
    path: textOrNone(json['path']) ?? null,
    joinedLate: false,
    served: false,
    firstByteNs: atNs(json['firstByteAgeNs'], record),
    status: numberOrNone(json['status']) ?? null,
    httpVersion: '1.1',
    request: body(json['sentBytes']),
    response: body(json['receivedBytes']),
    end: 'complete',
    captured: 'whole',
    notes: [],
    ...factsOf(record),
  };
}

function atNs(age: unknown, { tsNs, ageNs }: CallFactsRecord): bigint | null {
  return typeof age === 'string' && /^\d{1,19}$/.test(age) ? tsNs - ageNs + BigInt(age) : null;
}

const COUNTS = [
  'input',
  'cached',
  'cacheWrite',
  'output',
  'reasoning',
  'acceptedPrediction',
  'rejectedPrediction',
  'total',
] as const satisfies readonly (keyof Usage)[];

function llmOf(given: unknown): LlmSummary | undefined {
  if (!isObject(given)) return undefined;
  const dialect = textOrNone(given['dialect']);
  if (dialect === undefined) return undefined;
  const error = textOrNone(objectOf(given['error'])['code']);
  const [answeredBy, responseId] = [textOrNone(given['answeredBy']), textOrNone(given['responseId'])];
  return {
    dialect,
    model: textOrNone(given['model']) ?? null,
    ...(answeredBy !== undefined && { answeredBy }),
    text: '',
    toolCalls: listOf(given['toolCalls']).map(toolCallOf),
    usage: usageOf(objectOf(given['usage'])),
    finishReason: textOrNone(given['finishReason']) ?? null,
    ...(error !== undefined && { error: { code: error, message: '' } }),
    complete: given['complete'] === true,
    ...(responseId !== undefined && { responseId }),
  };
}

function toolCallOf(given: unknown): LlmSummary['toolCalls'][number] {
  const { id, name } = objectOf(given);
  return { id: textOrNone(id) ?? '', name: textOrNone(name) ?? '', argumentsText: '' };
}

function usageOf(given: JsonObject): Usage {
  const usage: Usage = {};
  for (const name of COUNTS) {
    const count = numberOrNone(given[name]);
    if (count !== undefined) usage[name] = count;
  }
  return usage;
}
