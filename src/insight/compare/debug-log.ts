// What the editor's extension says itself: lines of its Agent Debug Log (`{ts, dur, type, name, attrs}`), OTLP-JSON
// (`resourceSpans`), or spans as flat objects. Names of attributes follow OpenTelemetry's conventions for generative AI,
// with the short names of the debug log beside them. What is not known is passed over and counted.

import {
  isObject,
  type JsonObject,
  listOf,
  numberOrNone,
  objectOf,
  readJson,
  textOf,
  textOrNone,
} from '../../dialects/index.ts';
import { copyOf } from '../texts.ts';

export interface LoggedCall {
  /** UTC milliseconds; null when the entry has no time. */
  readonly atMs: number | null;
  readonly name: string;
  readonly model?: string;
  readonly responseId?: string;
  /** Id of the turn on the wire (`X-Request-Id`). */
  readonly requestId?: string;
  /** Id that the server gave the answer. */
  readonly serverId?: string;
  readonly input?: number;
  readonly output?: number;
  readonly cached?: number;
  readonly error?: string;
}

export interface LoggedTool {
  readonly name: string;
  readonly id?: string;
}

export interface DebugLog {
  readonly calls: readonly LoggedCall[];
  readonly tools: readonly LoggedTool[];
  /** Texts of users. */
  readonly prompts: readonly string[];
  /** Entries that are none of these. */
  readonly others: number;
  /** Lines that are no JSON. */
  readonly unreadable: number;
}

/** Entries of each sort that are kept; a log of the editor ends at 100 MB. */
const MAX_ENTRIES = 100_000;
const MAX_PROMPT_CHARS = 16 * 1024;

type Attributes = Readonly<Record<string, unknown>>;

export class DebugLogReader {
  readonly #calls: LoggedCall[] = [];
  readonly #tools: LoggedTool[] = [];
  readonly #prompts: string[] = [];
  #others = 0;
  #unreadable = 0;

  /** One line of JSON lines, or a whole document. */
  line(text: string): void {
    if (text.trim() === '') return;
    const { value, whole } = readJson(text);
    if (!whole) this.#unreadable += 1;
    else this.#value(value);
  }

  get log(): DebugLog {
    return {
      calls: this.#calls,
      tools: this.#tools,
      prompts: this.#prompts,
      others: this.#others,
      unreadable: this.#unreadable,
    };
  }

  #value(value: unknown): void {
    if (Array.isArray(value)) {
      for (const entry of value) this.#value(entry);
      return;
    }
    if (!isObject(value)) return;
    if (!('resourceSpans' in value)) {
      this.#entry(value);
      return;
    }
    for (const resource of listOf(value['resourceSpans'])) {
      for (const scope of listOf(objectOf(resource)['scopeSpans'])) {
        for (const span of listOf(objectOf(scope)['spans'])) this.#entry(objectOf(span));
      }
    }
  }

  #entry(entry: JsonObject): void {
    const attributes = attributesOf(entry);
    const operation = textOf(attributes['gen_ai.operation.name']);
    const type = textOf(entry['type']);
    const name = textOf(entry['name']);
    if (operation === 'chat' || type === 'llm_request') this.#keep(this.#calls, callOf(entry, attributes, name));
    else if (operation === 'execute_tool' || type === 'tool_call') this.#keep(this.#tools, toolOf(attributes, name));
    else if (type === 'user_message' || operation === 'invoke_agent') this.#prompt(attributes);
    else this.#others += 1;
  }

  #prompt(attributes: Attributes): void {
    const text = pick(attributes, 'copilot_chat.user_request', 'content', 'text', 'message');
    if (text === undefined) this.#others += 1;
    else this.#keep(this.#prompts, copyOf(text.slice(0, MAX_PROMPT_CHARS)));
  }

  #keep<T>(list: T[], entry: T): void {
    if (list.length < MAX_ENTRIES) list.push(entry);
    else this.#others += 1;
  }
}

/** `{key: value}`, or OTLP's list of `{key, value: {stringValue}}`. */
function attributesOf(entry: JsonObject): Attributes {
  const given = entry['attributes'] ?? entry['attrs'];
  if (!Array.isArray(given)) return objectOf(given);
  return Object.fromEntries(
    given.map((one) => [textOf(objectOf(one)['key']), otlpValue(objectOf(objectOf(one)['value']))]),
  );
}

/** Whole numbers are text in OTLP-JSON. */
function otlpValue(value: JsonObject): unknown {
  if ('intValue' in value) return Number(value['intValue']);
  return value['stringValue'] ?? value['doubleValue'] ?? value['boolValue'];
}

function pick(attributes: Attributes, ...names: readonly string[]): string | undefined {
  return names.map((name) => textOrNone(attributes[name])).find((value) => value !== undefined);
}

function count(attributes: Attributes, ...names: readonly string[]): number | undefined {
  return names.map((name) => numberOrNone(attributes[name])).find((value) => value !== undefined);
}

function callOf(entry: JsonObject, attributes: Attributes, name: string): LoggedCall {
  const fields = {
    model: pick(attributes, 'gen_ai.response.model', 'gen_ai.request.model', 'model'),
    responseId: pick(attributes, 'gen_ai.response.id', 'responseId'),
    requestId: pick(attributes, 'gen_ai.conversation.id', 'requestId'),
    serverId: pick(attributes, 'copilot_chat.server_request_id', 'serverRequestId'),
    input: count(attributes, 'gen_ai.usage.input_tokens', 'inputTokens', 'promptTokens'),
    output: count(attributes, 'gen_ai.usage.output_tokens', 'outputTokens', 'completionTokens'),
    cached: count(attributes, 'gen_ai.usage.cache_read.input_tokens', 'cachedTokens', 'cacheReadTokens'),
    error: pick(attributes, 'error.type', 'error'),
  };
  const there = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return {
    atMs: timeOf(entry),
    name: copyOf(pick(attributes, 'gen_ai.agent.name', 'copilot_chat.debug_name') ?? name),
    ...there,
  };
}

const toolOf = (attributes: Attributes, name: string): LoggedTool => {
  const id = pick(attributes, 'gen_ai.tool.call.id', 'toolCallId', 'id');
  const tool = pick(attributes, 'gen_ai.tool.name', 'toolName', 'tool') ?? name.replace(/^execute_tool /, '');
  return { name: copyOf(tool), ...(id === undefined ? {} : { id: copyOf(id) }) };
};

/** Milliseconds, an ISO time, nanoseconds as text (OTLP), or seconds and nanoseconds (flat spans). */
function timeOf(entry: JsonObject): number | null {
  const {
    ts,
    startTimeUnixNano: ns,
    startTime,
  } = entry as { ts?: unknown; startTimeUnixNano?: unknown; startTime?: unknown };
  if (typeof ts === 'number') return ts;
  if (typeof ts === 'string') return Number.isNaN(Date.parse(ts)) ? null : Date.parse(ts);
  if (typeof ns === 'string' && /^\d{1,20}$/.test(ns)) return Number(BigInt(ns) / 1_000_000n);
  if (Array.isArray(startTime))
    return (numberOrNone(startTime[0]) ?? 0) * 1000 + (numberOrNone(startTime[1]) ?? 0) / 1e6;
  return null;
}
