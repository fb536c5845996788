// One completed call as one aligned line.

import { type CallEvent, earlyEnd } from '../../model/index.ts';
import { COLUMNS, type ColumnName, type Layout } from './columns.ts';
import type { Paint, Tone } from './paint.ts';
import { bytes, duration, timeOfDay } from './quantity.ts';
import { visible } from './visible.ts';
import { inCells, shorten } from './width.ts';

interface Cell {
  readonly text: string;
  readonly tone: Tone;
}

const NOTHING: Cell = { text: '', tone: 'plain' };
const UNKNOWN = '-';

const plain = (text: string): Cell => ({ text, tone: 'plain' });
const number = (value: number | undefined): Cell => plain(value === undefined ? '' : String(value));
const time = (ms: number | null): Cell => (ms === null ? NOTHING : plain(duration(ms)));

/** Tone of a class by its family. The order does not matter: families do not overlap. */
const FAMILY_TONES: readonly (readonly [prefix: string, tone: Tone])[] = [
  ['chat.', 'chat'],
  ['completions.', 'inline'],
  ['nes', 'inline'],
  ['telemetry', 'dim'],
  ['http.', 'dim'],
];

const classTone = (name: string): Tone => FAMILY_TONES.find(([prefix]) => name.startsWith(prefix))?.[1] ?? 'plain';

function statusTone(status: number | null): Tone {
  if (status === null) return 'notice';
  return status >= 400 ? 'bad' : 'good';
}

/** Bytes of both bodies that the capture lost. */
const lostBytes = (call: CallEvent): number => (call.request.lostBytes ?? 0) + (call.response.lostBytes ?? 0);

const END_MARKS = { complete: [], reset: ['reset'], cut: ['cut'], open: ['still open'], lost: ['lost'] } as const;

/** What a reader must know before trusting the line; empty for a call that was seen whole. */
export function marksOf(call: CallEvent): string[] {
  const marks: string[] = [...END_MARKS[call.end]];
  const lost = lostBytes(call);
  if (lost > 0) marks.push(`gap ${bytes(lost)}`);
  if (call.joinedLate === true) marks.push('joined late');
  if (call.captured === 'partly' && marks.length === 0) marks.push('incomplete');
  if (call.llm?.complete === false && call.end === 'complete') marks.push('unfinished');
  if (call.copyOf !== undefined) marks.push(`copy of ${call.copyOf}`);
  return marks;
}

/** `needs_reasoning 0.87 → gpt-5.4`: what the router of Auto mode decided; its candidates when it names no choice. */
function decision({ service }: CallEvent): string | undefined {
  if (service?.facts !== 'router') return undefined;
  const models = service.chosen ?? service.candidates?.join(', ');
  const label = [service.label, service.confidence].filter((part) => part !== undefined).join(' ');
  const fallback = service.isFallback === true ? `fallback ${service.fallbackReason ?? ''}`.trim() : '';
  const parts = [fallback, label, models === undefined ? '' : `→ ${models}`].filter((part) => part !== '');
  return parts.length === 0 ? undefined : `router: ${parts.join(' ')}`;
}

/** An error, else why the answer ended before the model was done; empty for one that is as it should be. */
function failure({ llm }: CallEvent): string {
  if (llm?.error !== undefined) return `${llm.error.code} ${llm.error.message}`.trim();
  const reason = earlyEnd(llm?.finishReason ?? null);
  return reason === undefined ? '' : `ended: ${reason}`;
}

/** Marks first, then what the other columns cannot say: an error, or where a call without a model went. */
function note(call: CallEvent): Cell {
  const marks = marksOf(call);
  const failed = failure(call);
  const target =
    decision(call) ??
    (call.llm === undefined ? [call.method ?? UNKNOWN, `${call.host ?? UNKNOWN}${call.path ?? ''}`].join(' ') : '');
  const parts = [marks.join(', '), failed, target];
  const text = parts.filter((part) => part !== '').join(' · ');
  return { text, tone: marks.length > 0 ? 'notice' : failed === '' ? 'dim' : 'bad' };
}

/** The cells of a call, one per column. Token counts are as reported; empty where the provider reported none. */
function cells(call: CallEvent): Readonly<Record<ColumnName, Cell>> {
  const usage = call.llm?.usage;
  return {
    time: { text: timeOfDay(call.time), tone: 'dim' },
    process: plain(`${call.role}:${call.pid}`),
    class: { text: call.kind === undefined ? call.class : `${call.class} ${call.kind}`, tone: classTone(call.class) },
    model: plain(call.llm?.model ?? ''),
    status: { text: call.status === null ? UNKNOWN : String(call.status), tone: statusTone(call.status) },
    input: number(usage?.input),
    cached: number(usage?.cached),
    output: number(usage?.output),
    ttft: time(call.timing.ttftMs),
    duration: time(call.timing.durationMs),
    note: note(call),
  };
}

/** Narrow columns shorten by meaning: a process keeps its pid, a time its seconds. */
function cellText(name: ColumnName, call: CallEvent, text: string, width: number): string {
  if (name === 'time') return text.slice(0, width);
  if (name !== 'process') return visible(text);
  const pid = `:${call.pid}`;
  return shorten(visible(call.role), width - pid.length) + pid;
}

/** The call's line, without its newline. */
export function callLine(call: CallEvent, layout: Layout, paint: Paint): string {
  const row = cells(call);
  const parts = [...layout].map(([name, width]) => {
    const { text, tone } = row[name];
    const cell = inCells(cellText(name, call, text, width), width, COLUMNS[name].align);
    return paint(name === 'note' ? cell.trimEnd() : cell, tone);
  });
  return parts.join(' ').trimEnd();
}

/** The titles, aligned as the lines below them. */
export function headLine(layout: Layout, paint: Paint): string {
  const titles = [...layout].map(([name, width]) => inCells(COLUMNS[name].title, width, COLUMNS[name].align));
  return paint(titles.join(' ').trimEnd(), 'dim');
}
