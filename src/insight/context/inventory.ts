// The inventory of a recording: every different item once, with the call that sent it first and how often it was sent, and
// for every call the numbers of its items. Texts are measured and hashed, never kept.
//
// LIMITS: two different items with the same 64-bit fingerprint, length and path would be taken for one.

import { utf8Bytes } from '../../copilot/index.ts';
import type { CallCompleted, CallId, Usage } from '../../model/index.ts';
import { fingerprintText } from '../fingerprint.ts';
import { keep } from '../keep.ts';
import { copyOf } from '../texts.ts';
import { type TokenMeter, tokenizerOf } from '../tokens/count.ts';
import { itemsOfCall } from './call-items.ts';
import type { ContextItem, LineRange, SourceKind } from './item.ts';
import type { CalledTool } from './tools.ts';

/** An item of the inventory. */
export interface KnownItem {
  /** From 1, in the order of first sending. */
  readonly number: number;
  readonly kind: SourceKind;
  readonly path?: string;
  readonly language?: string;
  readonly lines?: LineRange;
  readonly implicit?: boolean;
  readonly detail?: string;
  readonly bytes: number;
  /** Estimated. */
  readonly tokens: number;
  readonly first: CallId;
  last: CallId;
  /** Calls that sent it, the first included. */
  sent: number;
}

/** A call that carried items. */
export interface CarryingCall {
  readonly id: CallId;
  readonly startNs: bigint;
  readonly class: string;
  readonly kind?: string;
  readonly host: string | null;
  readonly model: string | null;
  /** Of the whole request body. */
  readonly requestBytes: number;
  readonly usage: Usage;
  /** Whether the tokens were counted with the model's own tokenizer. */
  readonly ownTokenizer: boolean;
  /** Numbers of its different items, in the order of the request. */
  readonly items: Uint32Array;
}

export interface Inventory {
  readonly items: readonly KnownItem[];
  readonly calls: readonly CarryingCall[];
  /** Calls and items beyond the bounds, counted only. */
  readonly left: { readonly calls: number; readonly items: number };
}

/** About 300 bytes each: 60 MB at most. A gigabyte of agent traffic has some ten thousand. */
const MAX_ITEMS = 200_000;
/** A working week has some ten thousand. */
const MAX_CALLS = 50_000;
/** Tool calls that a chained request may refer to. */
const MAX_TOOL_CALLS = 5_000;
/** Of a tool's arguments, for a result that comes in a later request: the path stands at the beginning. */
const MAX_ARGUMENT_CHARS = 2_048;

export class InventoryBuilder {
  readonly #meter: TokenMeter;
  readonly #items: KnownItem[] = [];
  readonly #calls: CarryingCall[] = [];
  readonly #byKey = new Map<string, KnownItem>();
  readonly #tools = new Map<string, CalledTool>();
  /** Tokenizer by model, as the model list said. */
  readonly #tokenizers = new Map<string, string>();
  #leftCalls = 0;
  #leftItems = 0;

  constructor(meter: TokenMeter) {
    this.#meter = meter;
  }

  get inventory(): Inventory {
    return { items: this.#items, calls: this.#calls, left: { calls: this.#leftCalls, items: this.#leftItems } };
  }

  /** `call` with its secrets in place: sizes would be wrong otherwise. */
  accept(call: CallCompleted): void {
    // A hop inside this machine: what it carried left with the call that it is a copy of.
    if (call.copyOf !== undefined) return;
    if (call.service?.facts === 'models') {
      for (const { id, tokenizer } of call.service.models) {
        if (tokenizer !== undefined) keep(this.#tokenizers, id, tokenizer, 1_000);
      }
    }
    const items = itemsOfCall(call, (id) => this.#tools.get(id));
    for (const { id, name, argumentsText } of call.llm?.toolCalls ?? []) {
      const head = copyOf(argumentsText.slice(0, MAX_ARGUMENT_CHARS));
      keep(this.#tools, copyOf(id), { name: copyOf(name), argumentsText: head }, MAX_TOOL_CALLS);
    }
    if (items.length === 0) return;
    if (this.#calls.length >= MAX_CALLS) {
      this.#leftCalls += 1;
      return;
    }
    this.#addCall(call, items);
  }

  #addCall(call: CallCompleted, items: readonly ContextItem[]): void {
    const model = call.llm?.model ?? null;
    const { encoding, own } = tokenizerOf(model, this.#tokenizers.get(model ?? ''));
    const numbers = new Set(items.flatMap((item) => this.#itemOf(item, call.id, encoding)?.number ?? []));
    this.#calls.push({
      id: call.id,
      startNs: call.startNs,
      class: call.class,
      ...(call.kind === undefined ? {} : { kind: call.kind }),
      host: call.host === null ? null : copyOf(call.host),
      model: model === null ? null : copyOf(model),
      requestBytes: call.request.decodedBytes,
      usage: call.llm?.usage ?? {},
      ownTokenizer: own,
      items: Uint32Array.from(numbers),
    });
  }

  #itemOf(item: ContextItem, id: CallId, encoding: 'o200k_base' | 'cl100k_base'): KnownItem | undefined {
    const fingerprint = fingerprintText(item.text);
    const lines = item.lines === undefined ? '' : `${item.lines.from}-${item.lines.to}`;
    const key = [item.kind, item.path ?? '', lines, item.text.length, item.bytes ?? '', fingerprint].join('\n');
    const known = this.#byKey.get(key);
    if (known !== undefined) {
      // Twice in one request is one sending.
      if (known.last !== id) known.sent += 1;
      known.last = id;
      return known;
    }
    if (this.#items.length >= MAX_ITEMS) {
      this.#leftItems += 1;
      return undefined;
    }
    const { text, bytes, ...facts } = item;
    const textBytes = utf8Bytes(text);
    const tokens = this.#meter.tokens(text, encoding, fingerprint);
    const fresh: KnownItem = {
      number: this.#items.length + 1,
      ...copied(facts),
      bytes: bytes ?? textBytes,
      tokens: isBeginning(item) ? Math.round((tokens * (bytes ?? textBytes)) / Math.max(1, textBytes)) : tokens,
      first: id,
      last: id,
      sent: 1,
    };
    this.#items.push(fresh);
    this.#byKey.set(key, fresh);
    return fresh;
  }
}

/** Of what service calls carried only the beginning is kept, with the size of the whole. */
const isBeginning = ({ kind }: ContextItem): boolean => kind === 'upload' || kind === 'search-input';

/** Paths and names are slices of prompts: without a copy each would keep its whole prompt in memory. */
function copied({ kind, path, language, lines, implicit, detail }: Omit<ContextItem, 'text' | 'bytes'>) {
  return {
    kind,
    ...(path === undefined ? {} : { path: copyOf(path) }),
    ...(language === undefined ? {} : { language: copyOf(language) }),
    ...(lines === undefined ? {} : { lines }),
    ...(implicit === undefined ? {} : { implicit }),
    ...(detail === undefined ? {} : { detail: copyOf(detail) }),
  };
}
