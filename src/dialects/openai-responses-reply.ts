// Answers of OpenAI Responses: SSE events, bare JSON messages of a WebSocket, or one JSON body.
//
// Items are numbered by `output_index`; `output_item.done` is authoritative for an item, and the `output` of the final
// response for items whose events were missed. A reasoning summary may stand only in `output_item.done`. Errors come
// flat (`code`, `message`) over SSE and nested (`error: {…}`) over WebSocket. There is no `[DONE]`; one is tolerated.

import type { ReplyDelta } from '../model/index.ts';
import type { ReplyDecoder, StreamMessage } from './dialect.ts';
import { readJson } from './json.ts';
import { readOpenAiUsage } from './openai-usage.ts';
import { ReplyBuilder, type ToolSlot } from './reply-builder.ts';
import { indexOrNone, isObject, type JsonObject, jsonText, listOf, objectOf, textOf, textOrNone } from './values.ts';

/** Most items of one answer that are told apart. */
const MAX_ITEMS = 4096;

/** What is known of one output item. */
interface Item {
  /** Text or thinking came as deltas: a final copy must not be added again. */
  streamed: boolean;
  /** A final copy was taken: later copies say nothing new. */
  settled: boolean;
  /** Text so far; the final copy once it is there. */
  text: string;
  tool?: ToolSlot;
}

const TERMINAL = new Set([
  'response.completed',
  'response.failed',
  'response.incomplete',
  'response.cancelled',
  'error',
]);

/** Events that only repeat or announce what others carry. */
const SILENT = new Set([
  'response.created',
  'response.in_progress',
  'response.queued',
  'response.content_part.added',
  'response.content_part.done',
  'response.output_text.done',
  'response.refusal.done',
  'response.function_call_arguments.done',
  'response.custom_tool_call_input.done',
  'response.reasoning_summary_part.added',
  'response.reasoning_summary_part.done',
  'response.reasoning_summary_text.done',
  'response.reasoning_text.done',
]);

export const openAiResponsesReply = (): ReplyDecoder => new ResponsesReply();

class ResponsesReply implements ReplyDecoder {
  readonly #reply = new ReplyBuilder();
  readonly #items = new Map<string, Item>();
  /** `output_index` by item id, for events that lack the index. */
  readonly #keyById = new Map<string, string>();
  #lastKey = '0';
  #sawEnd = false;
  /** A final copy differed from what was streamed: deltas were lost or came out of order. */
  #isCorrected = false;
  #refusal = '';

  message({ event, data }: StreamMessage): readonly ReplyDelta[] {
    if (data.trim() === '[DONE]') return [];
    const { value, whole } = readJson(data);
    if (!isObject(value)) return this.#reply.note('unreadable', data.slice(0, 1024));
    if (!whole) this.#reply.note('damaged', data.slice(0, 1024));
    const type = textOf(value['type']) || event;
    if (TERMINAL.has(type)) return this.#terminal(type, value);
    return this.#event(type, value);
  }

  json(body: string): readonly ReplyDelta[] {
    const { value, whole } = readJson(body);
    if (!isObject(value)) return body.trim() === '' ? [] : this.#reply.note('unreadable', body.slice(0, 1024));
    const deltas = this.#response(isObject(value['response']) ? value['response'] : value);
    this.#sawEnd = whole;
    return deltas;
  }

  end(_transportComplete: boolean) {
    if (this.#refusal !== '') this.#reply.note('refusal', this.#refusal);
    if (this.#isCorrected) this.#reply.replaceText(0, this.#textByItem());
    return this.#reply.build(this.#sawEnd);
  }

  #textByItem(): string {
    const items = [...this.#items].sort(([a], [b]) => Number(a) - Number(b));
    return items.map(([, item]) => item.text).join('');
  }

  #event(type: string, json: JsonObject): readonly ReplyDelta[] {
    this.#head(json['response']);
    const delta = textOf(json['delta']);
    switch (type) {
      case 'response.output_text.delta':
        this.#item(json, undefined).text += delta;
        return this.#streamed(json, this.#reply.addText(0, delta));
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return this.#streamed(json, this.#reply.addThinking(delta));
      case 'response.refusal.delta':
        this.#refusal += delta.slice(0, Math.max(0, 65_536 - this.#refusal.length));
        return [];
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        return this.#argumentsDelta(json, delta);
      case 'response.output_item.added':
        return this.#added(json);
      case 'response.output_item.done':
        return this.#settle(this.#item(json, json['item']), objectOf(json['item']));
      default:
        return SILENT.has(type) ? [] : this.#reply.note(type || 'message', json);
    }
  }

  #streamed(json: JsonObject, deltas: readonly ReplyDelta[]): readonly ReplyDelta[] {
    const item = this.#item(json, undefined);
    if (deltas.length > 0) item.streamed = true;
    return deltas;
  }

  /** The item that an event speaks of: by output index, else by item id, else the one met last. */
  #item(json: JsonObject, itemJson: unknown): Item {
    const id = textOf(json['item_id']) || textOf(objectOf(itemJson)['id']);
    const index = indexOrNone(json['output_index']);
    const key =
      index !== undefined ? String(index) : (this.#keyById.get(id) ?? (id === '' ? this.#lastKey : `id:${id}`));
    if (id !== '' && this.#keyById.size < MAX_ITEMS) this.#keyById.set(id, key);
    this.#lastKey = key;
    const known = this.#items.get(key);
    if (known !== undefined) return known;
    const fresh: Item = { streamed: false, settled: false, text: '' };
    if (this.#items.size < MAX_ITEMS) this.#items.set(key, fresh);
    return fresh;
  }

  #added(json: JsonObject): readonly ReplyDelta[] {
    const item = this.#item(json, json['item']);
    const added = objectOf(json['item']);
    if (!isToolCall(added)) return [];
    return this.#openTool(item, added) === undefined || item.tool === undefined
      ? []
      : this.#reply.addArguments(item.tool, '');
  }

  #openTool(item: Item, json: JsonObject): ToolSlot | undefined {
    if (item.tool !== undefined) return undefined;
    const slot = this.#reply.openTool(textOf(json['call_id']) || textOf(json['id']), textOf(json['name']));
    if (slot !== undefined) item.tool = slot;
    return slot;
  }

  #argumentsDelta(json: JsonObject, delta: string): readonly ReplyDelta[] {
    const item = this.#item(json, undefined);
    if (item.tool === undefined)
      this.#openTool(item, { call_id: json['call_id'] ?? json['item_id'], name: json['name'] });
    return item.tool === undefined ? [] : this.#reply.addArguments(item.tool, delta);
  }

  /** Takes the final copy of an item. */
  #settle(item: Item, json: JsonObject): readonly ReplyDelta[] {
    if (item.settled) return [];
    item.settled = true;
    if (isToolCall(json)) return this.#settleTool(item, json);
    const type = textOf(json['type']);
    if (type === 'message') return item.streamed ? this.#correct(item, json) : this.#messageText(item, json);
    if (type === 'reasoning') {
      this.#reply.addOpaque('encrypted_content', json['encrypted_content']);
      return item.streamed ? [] : this.#reply.addThinking(summaryText(json));
    }
    if (type === 'compaction') this.#reply.addOpaque('compaction', json['encrypted_content']);
    return type === '' ? [] : this.#reply.note(type, json);
  }

  #settleTool(item: Item, json: JsonObject): readonly ReplyDelta[] {
    this.#openTool(item, json);
    const tool = item.tool;
    if (tool === undefined) return [];
    tool.id = textOf(json['call_id']) || tool.id;
    tool.name = textOf(json['name']) || tool.name;
    const whole = jsonText(json['arguments'] ?? json['input']);
    if (whole.startsWith(tool.argumentsText)) {
      const rest = whole.slice(tool.argumentsText.length);
      return rest === '' ? [] : this.#reply.addArguments(tool, rest);
    }
    // Pieces were lost or came out of order: the final copy is right, and was already reported in part.
    if (whole !== '') tool.argumentsText = whole;
    return [];
  }

  /** The final copy of a text that was streamed already. */
  #correct(item: Item, json: JsonObject): readonly ReplyDelta[] {
    const text = messageText(json);
    if (text !== '' && text !== item.text) {
      item.text = text;
      this.#isCorrected = true;
    }
    return this.#notePhase(json);
  }

  #messageText(item: Item, json: JsonObject): readonly ReplyDelta[] {
    item.text = messageText(json);
    return [...this.#notePhase(json), ...listOf(json['content']).flatMap((part) => this.#messagePart(objectOf(part)))];
  }

  #messagePart(part: JsonObject): readonly ReplyDelta[] {
    if (part['type'] === 'output_text') return this.#reply.addText(0, textOf(part['text']));
    if (part['type'] === 'refusal') return this.#reply.note('refusal', part['refusal']);
    return this.#reply.note(textOf(part['type']) || 'content', part);
  }

  #notePhase(json: JsonObject): readonly ReplyDelta[] {
    return typeof json['phase'] === 'string' ? this.#reply.note('phase', json['phase']) : [];
  }

  #terminal(type: string, json: JsonObject): readonly ReplyDelta[] {
    this.#sawEnd = true;
    if (json['copilot_quota_snapshots'] !== undefined) {
      this.#reply.note('copilot_quota_snapshots', json['copilot_quota_snapshots']);
    }
    if (type === 'error') return this.#fail(isObject(json['error']) ? json['error'] : json);
    const deltas = this.#response(objectOf(json['response']));
    this.#reply.finishReason ??= type.slice('response.'.length);
    if (type === 'response.failed') this.#fail(objectOf(objectOf(json['response'])['error']));
    return deltas;
  }

  #fail(error: JsonObject): readonly ReplyDelta[] {
    const code = textOf(error['code']) || textOf(error['type']) || 'error';
    return this.#reply.fail(code, textOf(error['message']));
  }

  #head(response: unknown): void {
    const json = objectOf(response);
    this.#reply.id = textOrNone(json['id']) ?? this.#reply.id;
    this.#reply.model = textOrNone(json['model']) ?? this.#reply.model;
    readOpenAiUsage(this.#reply.usage, json['usage']);
  }

  #response(json: JsonObject): readonly ReplyDelta[] {
    this.#head(json);
    if (isObject(json['error'])) this.#fail(json['error']);
    const reason = textOrNone(objectOf(json['incomplete_details'])['reason']) ?? textOrNone(json['status']);
    if (reason !== undefined) this.#reply.finishReason = reason;
    if (json['copilot_usage'] !== undefined) this.#reply.note('copilot_usage', json['copilot_usage']);
    return listOf(json['output']).flatMap((item, index) => {
      const known = this.#item({ output_index: index }, item);
      return this.#settle(known, objectOf(item));
    });
  }
}

const isToolCall = (json: JsonObject): boolean =>
  json['type'] === 'function_call' || json['type'] === 'custom_tool_call';

const messageText = (json: JsonObject): string =>
  listOf(json['content'])
    .map(objectOf)
    .map((part) => (part['type'] === 'output_text' ? textOf(part['text']) : ''))
    .join('');

const summaryText = (json: JsonObject): string =>
  [...listOf(json['summary']), ...listOf(json['content'])].map((part) => textOf(objectOf(part)['text'])).join('\n');
