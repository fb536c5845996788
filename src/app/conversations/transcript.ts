// `tracer show` for people: a conversation as a transcript. Per round: what the model thought, said and called, and what
// came back; between rounds what else happened: retries, compactions, subagents, helpers.

import {
  type Conversation,
  type Round,
  type TodoItem,
  type TodoList,
  type ToolUse,
  type Turn,
  type TurnRouting,
  todoChanges,
  todosOf,
} from '../../insight/index.ts';
import { type CallId, earlyEnd, type Usage } from '../../model/index.ts';
import { counted, duration, exact, type Paint, timeOfDay, visible } from '../../sinks/index.ts';
import { callIdText } from '../call-events.ts';
import { msOf, type WallTime } from '../wall.ts';
import { type BlockStyle, block, line, oneLine, whole } from './block.ts';
import type { WhyOf } from './json.ts';
import { type Sums, sumsOf, sumsOfTurns } from './sums.ts';
import { memoryLine, queryLines } from './tool-text.ts';

export interface TranscriptView {
  readonly wall: WallTime;
  readonly paint: Paint;
  readonly whyOf: WhyOf;
}

/** Of what was said everything that was kept; of a tool's result the beginning: `show CALL` has it all. */
const MAX_SAID_LINES = 10_000;
const MAX_RESULT_LINES = 12;
const ROUND_INDENT = 4;

export function* conversationText(conversation: Conversation, view: TranscriptView): Generator<string> {
  yield view.paint(headOf(conversation), 'bold');
  const tools = toolsText(sumsOf(conversation));
  if (tools !== '') yield `  ${tools}`;
  for (const at of conversation.turns.keys()) {
    yield '';
    yield* turnText(conversation, at, view);
  }
}

function headOf(conversation: Conversation): string {
  const { number, kind, parent, turns } = conversation;
  const sums = sumsOf(conversation);
  const from = parent === undefined ? '' : ` of conversation ${parent.conversation} (tool call ${parent.toolCallId})`;
  const facts = [counted(turns.length, 'turn'), counted(sums.rounds, 'round'), sums.models.join(', then ')];
  return visible(`Conversation ${number}: ${kind}${from}, ${facts.filter((fact) => fact !== '').join(', ')}`);
}

/** `tools: 3 read, 1 terminal; MCP servers: github 1`. */
function toolsText({ permissions, servers }: Sums): string {
  const kinds = Object.entries(permissions).map(([permission, count]) => `${count} ${permission}`);
  const names = Object.entries(servers).map(([server, count]) => `${server} ${count}`);
  const parts = [
    kinds.length === 0 ? '' : `tools: ${kinds.join(', ')}`,
    names.length === 0 ? '' : `MCP servers: ${names.join(', ')}`,
  ];
  return visible(parts.filter((part) => part !== '').join('; '));
}

export function* turnText(conversation: Conversation, at: number, view: TranscriptView): Generator<string> {
  const turn = conversation.turns[at];
  if (turn === undefined) return;
  const { paint, wall } = view;
  const sums = sumsOfTurns([turn]);
  const time = `${timeOfDay(wall.iso(sums.startNs))}  ${duration(msOf(sums.endNs - sums.startNs))}`;
  yield `${paint(`Turn ${conversation.number}.${at + 1}`, 'bold')}  ${time}  ${usageText(sums.usage)}`.trimEnd();
  const style: BlockStyle = { paint, indent: 2, maxLines: MAX_SAID_LINES };
  yield* block('user', turn.asked, style);
  if (turn.router !== undefined) yield* line('router', routerText(turn.router, turn.routing), style);
  const todos = todosOf(turn);
  for (const [index, round] of turn.rounds.entries()) {
    yield* compactionText(turn, index, style);
    yield* roundText(round, index + 1, todos, view);
  }
  yield* compactionText(turn, turn.rounds.length, style);
  for (const { call, kind, said } of turn.helpers)
    yield* line('helper', `${kind} (${callIdText(call)}): ${oneLine(said?.text ?? '')}`, style);
}

function routerText(call: CallId, { label, chosen, isFallback }: TurnRouting = {}): string {
  const decision = isFallback === true ? 'fell back' : (label ?? 'decided');
  return `${decision}${chosen === undefined ? '' : ` → ${chosen}`} (${callIdText(call)})`;
}

/** Compactions that came before the round with this index; those at the end come with the number of rounds. */
function* compactionText({ compactions }: Turn, index: number, style: BlockStyle): Generator<string> {
  for (const { call, afterRound, summary, usage, startNs, endNs } of compactions) {
    if (afterRound !== index) continue;
    const facts = `${callIdText(call)}  ${duration(msOf(endNs - startNs))}  ${usageText(usage)}`.trimEnd();
    yield* block('compacted', whole(facts), style);
    yield* block('', summary, { ...style, maxLines: MAX_RESULT_LINES });
  }
}

function* roundText(round: Round, number: number, todos: readonly TodoList[], view: TranscriptView): Generator<string> {
  const { paint } = view;
  const style: BlockStyle = { paint, indent: ROUND_INDENT, maxLines: MAX_SAID_LINES };
  yield `  ${paint(String(number).padEnd(3), 'bold')}${roundHead(round, view.wall)}`;
  yield* explained(round.call, style, view.whyOf);
  for (const [nth, { call, reason, startNs, endNs }] of round.failed.entries()) {
    const took = duration(msOf(endNs - startNs));
    yield* line(`attempt ${nth + 1}`, `${callIdText(call)} failed after ${took}: ${reason}`, style);
  }
  if (round.thought !== undefined) yield* block('thought', round.thought, style);
  if (round.said !== undefined) yield* block('says', round.said, style);
  const early = earlyEnd(round.finishReason);
  if (round.error !== undefined) yield* line('error', `${round.error.code} ${round.error.message}`, style);
  else if (early !== undefined) yield* line('ended', early, style);
  for (const tool of round.tools) yield* toolText(tool, number, todos, style);
}

function* explained(call: CallId, style: BlockStyle, whyOf: WhyOf): Generator<string> {
  const why = whyOf(call);
  if (why !== undefined) yield* line('named by', why, style);
}

function roundHead(round: Round, wall: WallTime): string {
  const model =
    round.answeredBy === undefined || round.answeredBy === round.model ? '' : ` (answered by ${round.answeredBy})`;
  const facts = [
    callIdText(round.call),
    `${round.model ?? 'unknown model'}${model}`,
    timeOfDay(wall.iso(round.startNs)),
    duration(msOf(round.endNs - round.startNs)),
    usageText(round.usage),
    round.isWhole ? '' : 'not whole',
  ];
  return visible(facts.filter((fact) => fact !== '').join('  '));
}

function* toolText(tool: ToolUse, round: number, todos: readonly TodoList[], style: BlockStyle): Generator<string> {
  const server = tool.server === undefined ? '' : ` of MCP server ${tool.server}`;
  const time = tool.durationNs === undefined ? '' : ` (${duration(msOf(tool.durationNs))})`;
  const todoAt = todos.findIndex((list) => list.round === round && list.toolCallId === tool.id);
  const list = todos[todoAt];
  const query = queryLines(tool);
  const memory = memoryLine(tool);
  const isPlain = list === undefined && query === undefined && memory === undefined;
  const what = isPlain ? ` ${oneLine(tool.arguments.text)}` : '';
  yield* line(tool.permission === 'other' ? 'tool' : tool.permission, `${tool.name}${server}${what}${time}`, style);
  if (list !== undefined) yield* todoText(list.items, todos[todoAt - 1]?.items, style);
  if (query !== undefined) yield* block('', query, style);
  if (memory !== undefined) yield* line('', memory, style);
  if (tool.subagent !== undefined) yield* line('', `started conversation ${tool.subagent}`, style);
  if (tool.result === undefined || list !== undefined) return;
  const mark = tool.isError === true ? 'failed' : '→';
  yield* block(mark, tool.result, { ...style, maxLines: MAX_RESULT_LINES });
}

const BOXES = { 'not-started': '[ ]', 'in-progress': '[-]', completed: '[x]' } as const;

function* todoText(
  items: readonly TodoItem[],
  before: readonly TodoItem[] | undefined,
  style: BlockStyle,
): Generator<string> {
  const changes = todoChanges(before, items);
  if (changes.length > 0) yield* line('', changes.join('; '), style);
  const boxes = items.map(({ state, title }) => `${BOXES[state]} ${title}`);
  yield* block('todo', whole(boxes.join('\n')), style);
}

function usageText({ input, cached, output, reasoning }: Usage): string {
  const parts = [
    input === undefined ? '' : `in ${exact(input)}${cached === undefined ? '' : ` (${exact(cached)} cached)`}`,
    output === undefined
      ? ''
      : `out ${exact(output)}${reasoning === undefined || reasoning === 0 ? '' : ` (${exact(reasoning)} reasoning)`}`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}
