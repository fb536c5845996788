// The block at the end: what was seen, what was lost (to the byte), what tracing cost.

import type { CostSummary, LossEvent, SummaryEvent } from '../../model/index.ts';
import type { Paint } from './paint.ts';
import { bytes, counted, duration, exact } from './quantity.ts';
import { visible } from './visible.ts';
import { inCells, shorten, widthOf } from './width.ts';

const LABEL_CELLS = 9;
/** Connections with losses that are listed one by one; the rest is summed. */
const MAX_LOSS_LINES = 20;

/** Adds up losses by connection, direction and cause. */
export interface LossLedger {
  add(event: LossEvent): void;
  /** In the order of their first appearance. */
  rows(): readonly LossRow[];
}

interface LossRow {
  readonly connection: string;
  readonly dir: string;
  readonly cause: string;
  readonly bytes: number;
}

/** A hostile stream can lose bytes on any number of connections; rows beyond this are added up in the last one. */
const MAX_LEDGER_ROWS = 10_000;

export function createLossLedger(): LossLedger {
  const rows = new Map<string, LossRow>();
  return {
    add(event) {
      const named = { connection: event.connection ?? '-', dir: event.dir ?? '', cause: event.cause };
      const key = JSON.stringify(Object.values(named));
      const isRoom = rows.has(key) || rows.size < MAX_LEDGER_ROWS;
      const row = isRoom ? named : { connection: 'others', dir: '', cause: 'several' };
      const rowKey = isRoom ? key : '';
      rows.set(rowKey, { ...row, bytes: (rows.get(rowKey)?.bytes ?? 0) + event.bytes });
    },
    rows: () => [...rows.values()],
  };
}

type Line = readonly [label: string, text: string];

const heading = (s: SummaryEvent): string =>
  [
    `${counted(s.calls, 'call')} in ${duration(s.durationMs)}`,
    counted(s.processes, 'process', 'processes'),
    counted(s.connections, 'connection'),
    `${bytes(s.bytes.out)} out, ${bytes(s.bytes.in)} in`,
  ].join(' · ');

/** Most frequent first, then by name. */
function classLines(byClass: SummaryEvent['callsByClass']): Line[] {
  const rows = Object.entries(byClass).sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  const nameCells = Math.min(40, Math.max(0, ...rows.map(([name]) => widthOf(visible(name)))));
  const countCells = exact(rows[0]?.[1] ?? 0).length;
  return rows.map(([name, count], i) => {
    const text = `${inCells(visible(name), nameCells, 'left')} ${inCells(exact(count), countCells, 'right')}`;
    return [i === 0 ? 'calls' : '', text];
  });
}

function lossLines(s: SummaryEvent, ledger: LossLedger): Line[] {
  const isWhole = s.lost.out === 0 && s.lost.in === 0 && s.lost.incompleteCalls === 0 && ledger.rows().length === 0;
  if (isWhole) return [['loss', s.complete ? 'none' : 'none known; capture was incomplete']];
  const sum = `${exact(s.lost.out)} B out, ${exact(s.lost.in)} B in, ${counted(s.lost.incompleteCalls, 'incomplete call')}`;
  const rows = ledger.rows();
  const lines = rows.slice(0, MAX_LOSS_LINES).map((row): Line => {
    const where = [
      inCells(visible(row.connection), 6, 'left'),
      inCells(row.dir, 3, 'left'),
      inCells(`${exact(row.bytes)} B`, 14, 'right'),
    ];
    return ['', `${where.join(' ')}  ${shorten(visible(row.cause), 60)}`];
  });
  const left = rows.length - lines.length;
  return [['loss', sum], ...lines, ...(left > 0 ? [['', `… ${counted(left, 'more row')}`] as const] : [])];
}

/** Only counters that moved: a list of zeros hides the one that is not. Those of losses always, the others on request. */
function counterLines(counters: SummaryEvent['counters'], isVerbose: boolean): Line[] {
  const moved = Object.entries(counters).filter(
    ([name, value]) => value !== 0 && (isVerbose || name.startsWith('lost_')),
  );
  return moved.map(([name, value], i) => [i === 0 ? 'counters' : '', `${visible(name)} ${exact(value)}`]);
}

function costText(cost: CostSummary): string {
  const { hookedCalls, bpfRunMs, tracerCpuMs, ringBytes, ringHighWaterBytes } = cost;
  const ring = ringHighWaterBytes === undefined ? [] : [`ring peak ${bytes(ringHighWaterBytes)}`];
  const parts = [
    ...(hookedCalls === undefined ? [] : [counted(hookedCalls, 'hooked call')]),
    ...(bpfRunMs === undefined ? [] : [`BPF ${duration(bpfRunMs)}`]),
    ...(tracerCpuMs === undefined ? [] : [`tracer CPU ${duration(tracerCpuMs)}`]),
    ...ring.map((text) => (ringBytes === undefined ? text : `${text} of ${bytes(ringBytes)}`)),
  ];
  return parts.join(' · ');
}

/** The summary's lines, without newlines. */
export function summaryLines(s: SummaryEvent, ledger: LossLedger, paint: Paint, isVerbose: boolean): string[] {
  const cost = s.cost === undefined ? '' : costText(s.cost);
  const lines: Line[] = [
    ...classLines(s.callsByClass),
    ...lossLines(s, ledger),
    ...counterLines(s.counters, isVerbose),
    ...(cost === '' ? [] : [['cost', cost] as const]),
    ['ended', visible(s.reason)],
  ];
  const isLossy = !s.complete || s.lost.out + s.lost.in + s.lost.incompleteCalls > 0;
  const body = lines.map(([label, text]) => {
    const painted = label === 'loss' ? paint(text, isLossy ? 'notice' : 'good') : text;
    return `${paint(inCells(label, LABEL_CELLS, 'left'), 'dim')} ${painted}`.trimEnd();
  });
  return ['', paint(heading(s), 'bold'), ...body];
}
