// Answers of Anthropic Messages, streamed or whole.
//
// Blocks are numbered by `index`; `message_delta.usage` is cumulative: its non-zero values replace earlier ones. The
// prompt's size is input + cache creation + cache read, since `input_tokens` counts only what was not cached.

import type { ReplyDelta } from '../model/index.ts';
import type { ReplyDecoder, StreamMessage } from './dialect.ts';
import { readJson } from './json.ts';
import { ReplyBuilder, type ToolSlot } from './reply-builder.ts';
import {
  indexOrNone,
  isObject,
  type JsonObject,
  listOf,
  numberOrNone,
  objectOf,
  textOf,
  textOrNone,
} from './values.ts';

/** Most blocks of one answer that are told apart. */
const MAX_BLOCKS = 4096;

interface Block {
  readonly type: string;
  tool?: ToolSlot | undefined;
  /** A tool that the provider runs itself: its input, joined, and the block that announced it. */
  server?: { readonly json: JsonObject; input: string };
}

const COUNTS = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens', 'output_tokens'] as const;
const BLOCK_SILENT = new Set(['text', 'thinking', 'redacted_thinking']);

export const anthropicReply = (): ReplyDecoder => new AnthropicReply();

class AnthropicReply implements ReplyDecoder {
  readonly #reply = new ReplyBuilder();
  readonly #blocks = new Map<number, Block>();
  #lastIndex = 0;
  readonly #counts = new Map<string, number>();
  #sawEnd = false;

  message({ event, data }: StreamMessage): readonly ReplyDelta[] {
    if (data.trim() === '[DONE]') return [];
    const { value, whole } = readJson(data);
    if (!isObject(value)) return this.#reply.note('unreadable', data.slice(0, 1024));
    if (!whole) this.#reply.note('damaged', data.slice(0, 1024));
    return this.#event(textOf(value['type']) || event, value);
  }

  json(body: string): readonly ReplyDelta[] {
    const { value, whole } = readJson(body);
    if (!isObject(value)) return body.trim() === '' ? [] : this.#reply.note('unreadable', body.slice(0, 1024));
    this.#sawEnd = whole;
    if (isObject(value['error'])) return this.#fail(value['error']);
    this.#head(value);
    this.#stop(value);
    return listOf(value['content']).flatMap((block, index) => this.#start(index, objectOf(block)));
  }

  end(transportComplete: boolean) {
    for (const block of this.#blocks.values()) this.#noteServerTool(block);
    this.#readUsage();
    return this.#reply.build(this.#sawEnd || (transportComplete && this.#reply.finishReason !== null));
  }

  #event(type: string, json: JsonObject): readonly ReplyDelta[] {
    if (json['copilot_annotations'] !== undefined) this.#reply.note('copilot_annotations', json['copilot_annotations']);
    switch (type) {
      case 'message_start':
        return this.#head(objectOf(json['message']));
      case 'content_block_start':
        return this.#start(indexOrNone(json['index']) ?? this.#blocks.size, objectOf(json['content_block']));
      case 'content_block_delta':
        return this.#delta(indexOrNone(json['index']) ?? this.#lastIndex, objectOf(json['delta']));
      case 'message_delta':
        return this.#messageDelta(json);
      case 'message_stop':
        this.#sawEnd = true;
        return [];
      case 'error':
        this.#sawEnd = true;
        return this.#fail(objectOf(json['error']));
      case 'ping':
      case 'content_block_stop':
        return [];
      default:
        return this.#reply.note(type || 'message', json);
    }
  }

  #head(message: JsonObject): readonly ReplyDelta[] {
    this.#reply.id ??= textOrNone(message['id']) ?? null;
    this.#reply.model ??= textOrNone(message['model']) ?? null;
    this.#count(message['usage']);
    return [];
  }

  #messageDelta(json: JsonObject): readonly ReplyDelta[] {
    this.#stop(objectOf(json['delta']));
    this.#count(json['usage']);
    const management = json['context_management'];
    return isObject(management) ? this.#reply.note('context_management', management) : [];
  }

  #stop(json: JsonObject): void {
    this.#reply.finishReason = textOrNone(json['stop_reason']) ?? this.#reply.finishReason;
  }

  #fail(error: JsonObject): readonly ReplyDelta[] {
    return this.#reply.fail(textOf(error['type']) || textOf(error['code']) || 'error', textOf(error['message']));
  }

  /** Opens a block. Its first content may already be in it, always so in an answer that is not streamed. */
  #start(index: number, json: JsonObject): readonly ReplyDelta[] {
    const type = textOf(json['type']);
    const block: Block = { type };
    if (this.#blocks.size < MAX_BLOCKS) this.#blocks.set(index, block);
    this.#lastIndex = index;
    if (type === 'tool_use') return this.#openTool(block, json);
    if (type === 'server_tool_use' || type === 'mcp_tool_use') block.server = { json, input: '' };
    else if (!BLOCK_SILENT.has(type)) this.#reply.note(type || 'block', json);
    this.#reply.addOpaque('signature', json['signature']);
    this.#reply.addOpaque('redacted_thinking', json['data']);
    return [...this.#reply.addText(0, textOf(json['text'])), ...this.#reply.addThinking(textOf(json['thinking']))];
  }

  #openTool(block: Block, json: JsonObject): readonly ReplyDelta[] {
    const slot = this.#reply.openTool(textOf(json['id']), textOf(json['name']));
    if (slot === undefined) return [];
    block.tool = slot;
    // While streaming, the input begins as an empty object that stands for nothing.
    const input = json['input'];
    const whole = isObject(input) && Object.keys(input).length > 0 ? JSON.stringify(input) : '';
    return this.#reply.addArguments(slot, whole);
  }

  #delta(index: number, delta: JsonObject): readonly ReplyDelta[] {
    this.#lastIndex = index;
    if (delta['copilot_annotations'] !== undefined)
      this.#reply.note('copilot_annotations', delta['copilot_annotations']);
    switch (delta['type']) {
      case 'text_delta':
        return this.#reply.addText(0, textOf(delta['text']));
      case 'thinking_delta':
        return this.#reply.addThinking(textOf(delta['thinking']));
      case 'signature_delta':
        this.#reply.addOpaque('signature', delta['signature']);
        return [];
      case 'input_json_delta':
        return this.#inputDelta(index, textOf(delta['partial_json']));
      default:
        return this.#reply.note(textOf(delta['type']) || 'delta', delta);
    }
  }

  #inputDelta(index: number, text: string): readonly ReplyDelta[] {
    const block = this.#blocks.get(index) ?? this.#lateTool(index);
    if (block.server !== undefined) {
      if (block.server.input.length < 65_536) block.server.input += text;
      return [];
    }
    block.tool ??= this.#reply.openTool('', '');
    return block.tool === undefined ? [] : this.#reply.addArguments(block.tool, text);
  }

  /** The block's start was missed: the call is kept without its name. */
  #lateTool(index: number): Block {
    const block: Block = { type: 'tool_use' };
    if (this.#blocks.size < MAX_BLOCKS) this.#blocks.set(index, block);
    return block;
  }

  #noteServerTool(block: Block): void {
    if (block.server === undefined) return;
    const { json, input } = block.server;
    this.#reply.note(block.type, input === '' ? json : { ...json, input: readJson(input).value ?? input });
  }

  #count(usage: unknown): void {
    for (const name of COUNTS) {
      const value = numberOrNone(objectOf(usage)[name]);
      if (value !== undefined && (value !== 0 || !this.#counts.has(name))) this.#counts.set(name, value);
    }
    const serverTools = objectOf(usage)['server_tool_use'];
    if (isObject(serverTools)) this.#reply.note('usage.server_tool_use', serverTools);
  }

  #readUsage(): void {
    const [input, written, read, output] = COUNTS.map((name) => this.#counts.get(name));
    const usage = this.#reply.usage;
    if (input !== undefined) usage.input = input + (written ?? 0) + (read ?? 0);
    if (read !== undefined) usage.cached = read;
    if (written !== undefined) usage.cacheWrite = written;
    if (output !== undefined) usage.output = output;
    if (usage.input !== undefined && output !== undefined) usage.total = usage.input + output;
  }
}
