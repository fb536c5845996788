// Calls over time, one lane per host, as a drawing.

import { bytes, counted, duration } from '../../../sinks/index.ts';
import type { ReportData, TimelineCall } from '../data.ts';
import { ALL_FAMILIES, familyOf } from './families.ts';
import { type Html, html, NOTHING } from './template.ts';

const WIDTH = 1100;
const LABEL_WIDTH = 270;
const LANE_HEIGHT = 26;
const TOP = 8;
/** Hosts with a lane of their own; the rest shares one. */
const MAX_LANES = 14;
const OTHERS = 'other hosts';
const LABEL_CHARS = 38;

export function timelineSection({ timeline, hosts, durationMs }: ReportData): Html {
  if (timeline.calls.length === 0) return NOTHING;
  const named = hosts.slice(0, hosts.length > MAX_LANES ? MAX_LANES - 1 : MAX_LANES).map(({ host }) => host);
  const lanes = hosts.length > named.length ? [...named, OTHERS] : named;
  const spanMs = Math.max(1, durationMs);
  const x = (ms: number): number => LABEL_WIDTH + (Math.max(0, ms) / spanMs) * (WIDTH - LABEL_WIDTH - 10);
  const height = TOP + lanes.length * LANE_HEIGHT + 24;
  const bars = timeline.calls.map((call) =>
    bar(call, Math.max(0, lanes.indexOf(named.includes(call.host) ? call.host : OTHERS)), x),
  );
  const left =
    timeline.left === 0 ? NOTHING : html`<p class="soft">${counted(timeline.left, 'later call')} not drawn.</p>`;
  return html`<h2 id="time">Calls over time</h2>
<p class="lead">Every bar is a call, from its request to the end of its answer. Point at one to see what it was.</p>
<div class="card">${legend(timeline.calls)}
<svg class="wide" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="calls over time by host">
${lanes.map((host, at) => lane(host, at))}${ticks(spanMs, x, height)}${bars}</svg>${left}</div>`;
}

function legend(calls: readonly TimelineCall[]): Html {
  const used = new Set(calls.map((call) => familyOf(call.class).style));
  const entries = ALL_FAMILIES.filter(({ style }) => used.has(style)).map(
    ({ name, style }) => html`<span><i class="f-${style}"></i>${name}</span>`,
  );
  return html`<div class="legend">${entries}</div>`;
}

function lane(host: string, at: number): Html {
  const y = TOP + at * LANE_HEIGHT;
  const label = host.length > LABEL_CHARS ? `${host.slice(0, LABEL_CHARS - 1)}…` : host;
  return html`<line class="lane" x1="${LABEL_WIDTH}" x2="${WIDTH}" y1="${y + LANE_HEIGHT - 1}" y2="${y + LANE_HEIGHT - 1}"/><text class="host" x="0" y="${y + 17}">${label}</text>`;
}

const round = (value: number): number => Math.round(value * 10) / 10;

function bar(call: TimelineCall, at: number, x: (ms: number) => number): Html {
  const from = x(call.startMs);
  const width = Math.max(2.5, x(call.endMs) - from);
  const name = call.kind === undefined ? call.class : `${call.class}, ${call.kind}`;
  const status = call.status === null ? 'no status' : `status ${call.status}`;
  const model = call.model === undefined ? '' : `, ${call.model}`;
  const title = `${call.call}: ${name}${model}, ${status}, ${duration(call.endMs - call.startMs)}, ${bytes(call.sentBytes)} out, ${bytes(call.receivedBytes)} in`;
  return html`<rect class="f-${familyOf(call.class).style}" x="${round(from)}" y="${TOP + at * LANE_HEIGHT + 5}" width="${round(width)}" height="15" rx="3" opacity="0.85"><title>${title}</title></rect>`;
}

/** About six marks at round distances. */
function ticks(spanMs: number, x: (ms: number) => number, height: number): Html[] {
  const step =
    [
      1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000, 300_000, 600_000, 1_800_000,
      3_600_000, 14_400_000, 86_400_000,
    ].find((one) => spanMs / one <= 8) ?? spanMs;
  const marks = Array.from({ length: Math.floor(spanMs / step) + 1 }, (_, at) => at * step);
  return marks.map(
    (ms) =>
      html`<line class="lane" x1="${round(x(ms))}" x2="${round(x(ms))}" y1="${TOP}" y2="${height - 22}"/><text x="${round(x(ms))}" y="${height - 6}">${ms === 0 ? 'start' : duration(ms)}</text>`,
  );
}
