// Calls and turns as a tree of spans: a turn (`invoke_agent`) over its calls (`chat`) and the tools that they called
// (`execute_tool`); a subagent's turn under the tool that started it. A call of no turn is a trace of its own.
//
// Ids are hashes of what they name: the same recording exported twice gives the same spans, and so do the live session and
// its recording.

import { createHash } from 'node:crypto';
import type { CallEvent } from '../../model/index.ts';
import type { ToolRun, TurnFacts } from '../export.ts';
import { chatAttributes, errorOf, operationOf } from './chat-span.ts';
import { type Attributes, keyValues, SPAN_KIND, type Span, STATUS_ERROR } from './model.ts';

const TRACE_DIGITS = 32;
const SPAN_DIGITS = 16;

const hashOf = (text: string, digits: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, digits);

/** A call as a span whose place is not known yet. */
export interface LooseSpan {
  readonly call: string;
  readonly span: Omit<Span, 'traceId' | 'parentSpanId'>;
}

export class SpanTree {
  readonly #isWithContent: boolean;
  /** UTC minus the records' clock, from the first call; and what makes ids of this session its own. */
  #offsetNs: bigint | null = null;
  #session = '';
  /** The tool that started a turn, by the turn. */
  readonly #starters = new Map<string, { readonly turn: string; readonly tool: string }>();

  constructor(isWithContent: boolean) {
    this.#isWithContent = isWithContent;
  }

  /** The span of a call of a model; null for other calls. */
  loose(call: CallEvent, connection: Attributes = {}): LooseSpan | null {
    const { llm } = call;
    if (llm === undefined) return null;
    const tsNs = BigInt(call.tsNs);
    this.#offsetNs ??= BigInt(Date.parse(call.time)) * 1_000_000n - tsNs;
    if (this.#session === '') this.#session = `${call.time} ${call.tsNs} ${call.id}`;
    const endNs = tsNs + BigInt(Math.round(call.timing.durationMs * 1e6));
    const error = errorOf(call);
    const model = llm.request?.model ?? llm.model;
    return {
      call: call.id,
      span: {
        spanId: this.#spanId(`call ${call.id}`),
        name: model === null || model === undefined ? operationOf(call) : `${operationOf(call)} ${model}`,
        kind: SPAN_KIND.client,
        startTimeUnixNano: this.#utc(tsNs),
        endTimeUnixNano: this.#utc(endNs),
        attributes: keyValues({ ...chatAttributes(call, llm, this.#isWithContent), ...connection }),
        ...(error !== undefined && { status: { code: STATUS_ERROR, message: llm.error?.message ?? error } }),
      },
    };
  }

  /** Every span in its place: turns, their tools, and the calls. */
  *place(calls: readonly LooseSpan[], turns: readonly TurnFacts[]): Generator<Span> {
    this.learn(turns);
    for (const turn of turns) {
      yield this.turnSpan(turn);
      for (const tool of turn.tools) yield this.toolSpan(tool, turn);
    }
    const turnOf = turnsByCall(turns);
    for (const loose of calls) yield this.callSpan(loose, turnOf.get(loose.call));
  }

  /** Notes which tools started which turns; before spans of those turns are made. */
  learn(turns: readonly TurnFacts[]): void {
    for (const turn of turns) {
      for (const { id, startedTurn } of turn.tools)
        if (startedTurn !== undefined) this.#starters.set(startedTurn, { turn: turn.id, tool: id });
    }
  }

  callSpan({ call, span }: LooseSpan, turn: TurnFacts | undefined): Span {
    if (turn === undefined) return { traceId: this.#traceId(`call ${call}`), ...span };
    const attributes = [...span.attributes, ...keyValues({ 'gen_ai.conversation.id': this.#conversation(turn) })];
    return { ...span, attributes, traceId: this.#traceOf(turn), parentSpanId: this.#turnSpanId(turn) };
  }

  /** A turn that a tool started belongs to the trace of that tool. */
  #traceOf({ id }: TurnFacts): string {
    const seen = new Set<string>();
    let root = id;
    for (let starter = this.#starters.get(root); starter !== undefined && !seen.has(root); ) {
      seen.add(root);
      root = starter.turn;
      starter = this.#starters.get(root);
    }
    return this.#traceId(`turn ${root}`);
  }

  turnSpan(turn: TurnFacts): Span {
    const starter = this.#starters.get(turn.id);
    return {
      traceId: this.#traceOf(turn),
      spanId: this.#turnSpanId(turn),
      ...(starter && { parentSpanId: this.#toolSpanId(starter.turn, starter.tool) }),
      name: `invoke_agent ${turn.kind}`,
      kind: SPAN_KIND.internal,
      startTimeUnixNano: this.#utc(turn.startNs),
      endTimeUnixNano: this.#utc(this.#endOf(turn)),
      attributes: keyValues({
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': turn.kind,
        'gen_ai.conversation.id': this.#conversation(turn),
        'copilot_chat.turn.index': Number(turn.id.split('.')[1] ?? 1) - 1,
        'tracer.request.id': turn.requestId,
        ...(this.#isWithContent && { 'copilot_chat.user_request': turn.asked }),
      }),
    };
  }

  /** A child ends within its parent: a tool whose result was never sent ends with the turn. */
  #endOf(turn: TurnFacts): bigint {
    let endNs = turn.endNs;
    for (const tool of turn.tools) if (tool.endNs !== undefined && tool.endNs > endNs) endNs = tool.endNs;
    return endNs;
  }

  toolSpan(tool: ToolRun, turn: TurnFacts): Span {
    const content = { 'gen_ai.tool.call.arguments': tool.argumentsText, 'gen_ai.tool.call.result': tool.resultText };
    return {
      traceId: this.#traceOf(turn),
      spanId: this.#toolSpanId(turn.id, tool.id),
      parentSpanId: this.#turnSpanId(turn),
      name: `execute_tool ${tool.name}`,
      kind: SPAN_KIND.internal,
      startTimeUnixNano: this.#utc(tool.startNs),
      endTimeUnixNano: this.#utc(tool.endNs ?? tool.startNs),
      attributes: keyValues({
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': tool.name,
        'gen_ai.tool.type': 'function',
        'gen_ai.tool.call.id': tool.id,
        ...(this.#isWithContent && content),
      }),
      ...(tool.isError && { status: { code: STATUS_ERROR } }),
    };
  }

  #conversation = ({ conversation }: TurnFacts): string => hashOf(`${this.#session} conversation ${conversation}`, 16);
  #turnSpanId = ({ id }: TurnFacts): string => this.#spanId(`turn ${id}`);
  #spanId = (what: string): string => hashOf(`${this.#session} span ${what}`, SPAN_DIGITS);
  #traceId = (what: string): string => hashOf(`${this.#session} trace ${what}`, TRACE_DIGITS);
  #toolSpanId = (turn: string, tool: string): string => this.#spanId(`tool ${turn} ${tool}`);
  #utc = (tsNs: bigint): string => String(tsNs + (this.#offsetNs ?? 0n));
}

export const turnsByCall = (turns: readonly TurnFacts[]): Map<string, TurnFacts> =>
  new Map(turns.flatMap((turn) => turn.calls.map((call) => [call, turn] as const)));
