// What the editor's extension says itself: lines of its Agent Debug Log (`{ts, dur, sid, type, name, spanId, status, attrs}`),
// OTLP-JSON (`resourceSpans`), or spans as flat objects, as its file exporter writes them. What is not known is passed over
// and counted.
//
// Attribute names as in microsoft/vscode, extensions/copilot/src: of the debug log
// extension/chat/vscode-node/chatDebugFileLoggerService.ts (`llm_request`: model, inputTokens, outputTokens, error; `tool_call`: the
// tool is the entry's name; `user_message`: content, cut at 5,000 characters), of spans platform/otel/common/genAiAttributes.ts, which
// follows OpenTelemetry's conventions for generative AI. On a `chat` span `gen_ai.conversation.id` is the turn's request id.

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
    else if (type === 'user_message' || operation === 'invoke_agent') this.#prompt(entry, attributes);
    else this.#others += 1;
  }

  #prompt(entry: JsonObject, attributes: Attributes): void {
    const text = pick(attributes, 'copilot_chat.user_request', 'content') ?? userMessageOf(entry);
    if (text === undefined) this.#others += 1;
    else this.#keep(this.#prompts, copyOf(text.slice(0, MAX_PROMPT_CHARS)));
  }

  #keep<T>(list: T[], entry: T): void {
    if (list.length < MAX_ENTRIES) list.push(entry);
    else this.#others += 1;
  }
}

/** The event of a span that holds what the user asked. */
function userMessageOf(span: JsonObject): string | undefined {
  const event = listOf(span['events'])
    .map(objectOf)
    .find(({ name }) => name === 'user_message');
  return event === undefined ? undefined : pick(attributesOf(event), 'content');
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
    // What was asked for: who answered may be another.
    model: pick(attributes, 'gen_ai.request.model', 'gen_ai.response.model', 'model'),
    responseId: pick(attributes, 'gen_ai.response.id'),
    requestId: pick(attributes, 'gen_ai.conversation.id'),
    serverId: pick(attributes, 'copilot_chat.server_request_id'),
    input: count(attributes, 'gen_ai.usage.input_tokens', 'inputTokens'),
    output: count(attributes, 'gen_ai.usage.output_tokens', 'outputTokens'),
    cached: count(attributes, 'gen_ai.usage.cache_read.input_tokens'),
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
  const id = pick(attributes, 'gen_ai.tool.call.id');
  const tool = pick(attributes, 'gen_ai.tool.name') ?? name.replace(/^execute_tool /, '');
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
