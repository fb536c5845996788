// `tracer show --list`: one line per call, in the order in which calls ended, with the id by which `show CALL` prints it and its
// place in a conversation. So that every id can be found, of calls that belong to no conversation as well.

import type { Conversation, Grouping, Turn } from '../../insight/index.ts';
import { copyOf } from '../../insight/index.ts';
import type { CallEvent, CallId } from '../../model/index.ts';
import { bytes, counted, duration, type Paint, timeOfDay, visible } from '../../sinks/index.ts';
import { callIdText } from '../call-events.ts';
import { type Column, tableLines } from '../table.ts';

/** What is kept of a call, redacted. */
export interface ListedCall {
  readonly call: string;
  readonly time: string;
  readonly durationMs: number;
  readonly class: string;
  readonly kind?: string;
  readonly host: string | null;
  readonly model: string | null;
  readonly status: number | null;
  readonly sentBytes: number;
  readonly receivedBytes: number;
  readonly copyOf?: string;
}

/** Some 300 bytes each. */
const MAX_LISTED = 50_000;

export class CallList {
  readonly calls: ListedCall[] = [];
  /** Calls beyond the bound, counted only. */
  left = 0;

  add(event: CallEvent): void {
    if (this.calls.length >= MAX_LISTED) {
      this.left += 1;
      return;
    }
    const { id, time, timing, class: callClass, kind, host, llm, status, request, response } = event;
    this.calls.push({
      call: id,
      time,
      durationMs: timing.durationMs,
      class: callClass,
      ...(kind === undefined ? {} : { kind }),
      host: host === null ? null : copyOf(host),
      model: llm?.model == null ? null : copyOf(llm.model),
      status,
      sentBytes: request.bytes,
      receivedBytes: response.bytes,
      ...(event.copyOf === undefined ? {} : { copyOf: event.copyOf }),
    });
  }
}

/** The calls of a conversation, `2`, or of a turn of it, `2.1`. */
export function callsWithin(list: CallList, grouping: Grouping, what: string): CallList {
  const places = placesOf(grouping);
  const within = new CallList();
  for (const call of list.calls) {
    const turn = places.get(call.call)?.turn;
    if (turn === what || turn?.startsWith(`${what}.`)) within.calls.push(call);
  }
  within.left = list.left;
  return within;
}

const COLUMNS: readonly Column[] = [
  { title: 'CALL', align: 'left' },
  { title: 'STARTED', align: 'left' },
  { title: 'TOTAL', align: 'right' },
  { title: 'PLACE', align: 'left' },
  { title: 'CLASS', align: 'left' },
  { title: 'MODEL', align: 'left' },
  { title: 'ST', align: 'right' },
  { title: 'SENT', align: 'right' },
  { title: 'RECEIVED', align: 'right' },
  { title: 'HOST', align: 'left' },
];

export function* callListText(
  list: CallList,
  grouping: Grouping,
  view: { readonly columns: number | null; readonly paint: Paint },
): Generator<string> {
  const places = placesOf(grouping);
  const rows = list.calls.map((call) => rowOf(call, places.get(call.call)?.words ?? ''));
  if (rows.length === 0) yield 'No call in this recording.';
  else yield* tableLines(COLUMNS, rows, view.columns, view.paint);
  if (list.left > 0) yield `and ${counted(list.left, 'more call')}, too many to list`;
}

const rowOf = (call: ListedCall, place: string): string[] => [
  call.call,
  timeOfDay(call.time),
  duration(call.durationMs),
  call.copyOf === undefined ? place : `copy of ${call.copyOf}`,
  visible(call.kind === undefined || call.kind === call.class ? call.class : `${call.class} ${call.kind}`),
  visible(call.model ?? ''),
  call.status === null ? '-' : String(call.status),
  bytes(call.sentBytes),
  bytes(call.receivedBytes),
  visible(call.host ?? ''),
];

export function* callListJson(list: CallList, grouping: Grouping): Generator<unknown> {
  const places = placesOf(grouping);
  for (const call of list.calls) {
    const { words: _, ...place } = places.get(call.call) ?? { words: '' };
    yield { type: 'listed', ...call, ...place };
  }
}

interface Place {
  readonly turn: string;
  readonly part: 'round' | 'retry' | 'compaction' | 'helper' | 'router';
  readonly round?: number;
  /** Which try of the round it was, from 1; absent where there was only one. */
  readonly attempt?: number;
  readonly words: string;
}

/** By call id: where in a conversation it stands. */
function placesOf({ conversations }: Grouping): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  for (const conversation of conversations) {
    for (const [at, turn] of conversation.turns.entries()) notePlaces(places, conversation, turn, at);
  }
  return places;
}

function notePlaces(places: Map<string, Place>, { number }: Conversation, turn: Turn, at: number): void {
  const name = `${number}.${at + 1}`;
  const put = (call: CallId, part: Place['part']): void => {
    places.set(callIdText(call), { turn: name, part, words: `${name} ${part}` });
  };
  const putRound = (call: CallId, part: 'round' | 'retry', round: number, attempt?: number): void => {
    const words = `${name} round ${round}${attempt === undefined ? '' : ` attempt ${attempt}`}`;
    places.set(callIdText(call), { turn: name, part, round, ...(attempt === undefined ? {} : { attempt }), words });
  };
  if (turn.router !== undefined) put(turn.router, 'router');
  for (const { call } of turn.compactions) put(call, 'compaction');
  for (const { call } of turn.helpers) put(call, 'helper');
  for (const [index, round] of turn.rounds.entries()) {
    const { failed } = round;
    for (const [nth, { call }] of failed.entries()) putRound(call, 'retry', index + 1, nth + 1);
    putRound(round.call, 'round', index + 1, failed.length === 0 ? undefined : failed.length + 1);
  }
}
