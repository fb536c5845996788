// Joins tool calls of Chat Completions deltas, per choice. A call is looked up by its id; without id by its index if a
// call with that index exists; without both the piece belongs to the last call. The legacy `function_call` is keyed by
// name. The calls of choices other than the first are kept beside the answer.

import type { ReplyDelta } from '../model/index.ts';
import type { ReplyBuilder, ToolSlot } from './reply-builder.ts';
import { indexOrNone, isObject, type JsonObject, jsonText, listOf, objectOf, textOf } from './values.ts';

/** Index of a choice, from 0. */
export type Choice = number;

/** Further choices with tool calls that are kept, and calls in each; n is 1 in all known uses. */
const MAX_FURTHER = 16;
const MAX_FURTHER_CALLS = 128;

interface Known {
  readonly byId: Map<string, ToolSlot>;
  readonly byIndex: Map<number, ToolSlot>;
  readonly slots: ToolSlot[];
}

export class ChoiceToolCalls {
  readonly #reply: ReplyBuilder;
  readonly #choices = new Map<Choice, Known>();

  constructor(reply: ReplyBuilder) {
    this.#reply = reply;
  }

  add(choice: Choice, delta: JsonObject): readonly ReplyDelta[] {
    const deltas = listOf(delta['tool_calls']).flatMap((call) => this.#call(choice, objectOf(call)));
    return isObject(delta['function_call']) ? [...deltas, ...this.#legacy(choice, delta['function_call'])] : deltas;
  }

  noteFurtherChoices(): void {
    for (const [choice, { slots }] of this.#choices) {
      if (choice !== 0 && slots.length > 0) this.#reply.note('alternative.tool_calls', { choice, toolCalls: slots });
    }
  }

  #call(choice: Choice, call: JsonObject): readonly ReplyDelta[] {
    const target = isObject(call['function']) ? call['function'] : objectOf(call['custom']);
    const id = textOf(call['id']);
    const index = indexOrNone(call['index']);
    const name = textOf(target['name']);
    const known = this.#known(choice);
    const slot = known && (find(known, id, index, name) ?? this.#open(choice, known, id, name));
    if (slot === undefined) return [];
    if (index !== undefined) known?.byIndex.set(index, slot);
    return this.#append(choice, slot, name, jsonText(target['arguments'] ?? target['input']));
  }

  #legacy(choice: Choice, call: JsonObject): readonly ReplyDelta[] {
    const name = textOf(call['name']);
    const known = this.#known(choice);
    const last = known?.slots.at(-1);
    const slot = name === '' || last?.name === name ? last : undefined;
    const target = slot ?? (known && this.#open(choice, known, '', name));
    return target === undefined ? [] : this.#append(choice, target, name, jsonText(call['arguments']));
  }

  #known(choice: Choice): Known | undefined {
    const known = this.#choices.get(choice);
    if (known !== undefined || this.#choices.size > MAX_FURTHER) return known;
    const fresh: Known = { byId: new Map(), byIndex: new Map(), slots: [] };
    this.#choices.set(choice, fresh);
    return fresh;
  }

  #open(choice: Choice, known: Known, id: string, name: string): ToolSlot | undefined {
    const slot = choice === 0 ? this.#reply.openTool(id, name) : this.#openFurther(known, id, name);
    if (slot === undefined) return undefined;
    known.slots.push(slot);
    if (id !== '') known.byId.set(id, slot);
    return slot;
  }

  #openFurther(known: Known, id: string, name: string): ToolSlot | undefined {
    return known.slots.length < MAX_FURTHER_CALLS ? { id, name, argumentsText: '' } : undefined;
  }

  #append(choice: Choice, slot: ToolSlot, name: string, text: string): readonly ReplyDelta[] {
    if (slot.name === '') slot.name = name;
    const deltas = this.#reply.addArguments(slot, text);
    return choice === 0 ? deltas : [];
  }
}

/**
 * The call that a piece belongs to, or undefined for a new one. A piece that names a function under an unseen index
 * begins a call even without id: some gateways leave ids out.
 */
function find(known: Known, id: string, index: number | undefined, name: string): ToolSlot | undefined {
  if (id !== '') return known.byId.get(id);
  const at = index === undefined ? undefined : known.byIndex.get(index);
  if (at !== undefined) return at;
  return name !== '' && index !== undefined ? undefined : known.slots.at(-1);
}
