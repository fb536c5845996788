// `tracer conversations` for people: how the editor started, one line per conversation, what ran beside them.

import type { Boot, Conversation, Loose } from '../../insight/index.ts';
import { counted, duration, exact, type Paint, timeOfDay, visible } from '../../sinks/index.ts';
import { type Column, tableLines } from '../table.ts';
import { msOf, type WallTime } from '../wall.ts';
import type { Story } from './story.ts';
import { sumsOf } from './sums.ts';

const COLUMNS: readonly Column[] = [
  { title: '#', align: 'right' },
  { title: 'STARTED', align: 'left' },
  { title: 'TIME', align: 'right' },
  { title: 'KIND', align: 'left' },
  { title: 'TURNS', align: 'right' },
  { title: 'ROUNDS', align: 'right' },
  { title: 'TOOLS', align: 'right' },
  { title: 'IN', align: 'right' },
  { title: 'OUT', align: 'right' },
  { title: 'MODELS', align: 'left' },
  { title: 'ASKED', align: 'left' },
];

const STAGE_CELLS = 20;
/** Calls of one step that are named; the rest is counted. */
const MAX_NAMED = 12;

export interface ListView {
  readonly columns: number | null;
  readonly paint: Paint;
}

export function* listText({ grouping, boots, wall }: Story, view: ListView): Generator<string> {
  for (const boot of boots) yield* bootLines(boot, wall, view.paint);
  const rows = grouping.conversations.map((conversation) => rowOf(conversation, wall));
  if (rows.length > 0) yield* tableLines(COLUMNS, rows, view.columns, view.paint);
  else yield 'No conversation in this recording.';
  if (grouping.loose.length > 0) {
    yield '';
    yield `Beside conversations: ${grouping.loose.map(looseText).join(', ')}`;
  }
}

function* bootLines({ startNs, endNs, stages }: Boot, wall: WallTime, paint: Paint): Generator<string> {
  const count = stages.reduce((sum, { calls }) => sum + calls.length, 0);
  const time = `${timeOfDay(wall.iso(startNs))}, ${duration(msOf(endNs - startNs))}`;
  yield `${paint('Start of the editor', 'bold')}: ${time}, ${counted(count, 'call')}`;
  for (const { stage, calls } of stages) {
    const named = calls.slice(0, MAX_NAMED).map((call) => visible(`${call.class} ${call.status ?? '-'}`));
    const more = calls.length > MAX_NAMED ? ` and ${calls.length - MAX_NAMED} more` : '';
    yield `  ${stage.padEnd(STAGE_CELLS)}${named.join(', ')}${more}`;
  }
  yield '';
}

function rowOf(conversation: Conversation, wall: WallTime): string[] {
  const sums = sumsOf(conversation);
  const { parent, turns, number, kind } = conversation;
  const asked = visible((turns[0]?.asked.text ?? '').replace(/\s+/g, ' '));
  return [
    String(number),
    timeOfDay(wall.iso(sums.startNs)),
    duration(msOf(sums.endNs - sums.startNs)),
    visible(parent === undefined ? kind : `${kind} of ${parent.conversation}`),
    String(turns.length),
    String(sums.rounds),
    String(sums.tools),
    sums.usage.input === undefined ? '' : exact(sums.usage.input),
    sums.usage.output === undefined ? '' : exact(sums.usage.output),
    visible(sums.models.join(', ')),
    asked,
  ];
}

const looseText = ({ class: callClass, kind, count }: Loose): string =>
  visible(`${exact(count)} ${callClass}${kind === undefined || kind === callClass ? '' : ` (${kind})`}`);
