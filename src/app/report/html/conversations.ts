// Conversations: turns with their rounds on a time track, tools below, and how much of each prompt could be reused.

import { counted, duration, exact } from '../../../sinks/index.ts';
import { moneyText } from '../../cache/text.ts';
import type { BreakRow, ConversationRow, ReportData, RoundRow, StepRow, ToolRow, TurnRow } from '../data.ts';
import { type Html, html, NOTHING } from './template.ts';

/** Conversations that are open at first: a long page starts folded. */
const MAX_OPEN = 3;

/** One by one: together they are most of the page. */
export function* conversationsSection({ conversations, conversationsLeft, cacheBreaks }: ReportData): Generator<Html> {
  if (conversations.length === 0) return;
  yield html`<h2 id="conversations">Conversations</h2>
<p class="lead">What was asked, what the model did in how many rounds, and how long its tools took (hatched: between an answer and the next request).</p>
`;
  for (const [at, row] of conversations.entries()) yield conversation(row, cacheBreaks, at < MAX_OPEN);
  if (conversationsLeft > 0) yield html`<p class="soft">and ${counted(conversationsLeft, 'further conversation')}</p>`;
}

function conversation(row: ConversationRow, breaks: readonly BreakRow[], isOpen: boolean): Html {
  const rounds = row.turns.reduce((sum, turn) => sum + turn.rounds.length, 0);
  const parent =
    row.parent === undefined ? NOTHING : html`<span class="soft">started by conversation ${row.parent}</span>`;
  const own = breaks.filter(({ conversation: number }) => number === row.number);
  const more = row.turnsLeft === 0 ? NOTHING : html`<p class="soft">and ${counted(row.turnsLeft, 'further turn')}</p>`;
  return html`<div class="card" id="conversation-${row.number}"><details${isOpen ? html` open` : NOTHING}><summary><h3>${row.number} · ${row.kind}</h3>
<span class="soft">${counted(row.turns.length, 'turn')}, ${counted(rounds, 'round')}, ${duration(Math.max(0, row.endMs - row.startMs))}</span>${parent}</summary>
${row.turns.map(turn)}${more}${cacheChart(row.steps)}${own.map(cacheBreak)}</details></div>`;
}

function turn({ asked, rounds, compactions, helpers }: TurnRow): Html {
  const from = rounds[0]?.startMs ?? 0;
  const to = Math.max(from + 1, ...rounds.map(({ endMs }) => endMs));
  const extras = [
    ...compactions.map((call) => html`<span class="chip">compaction ${call}</span>`),
    ...helpers.map(({ call, kind }) => html`<span class="chip">${kind} ${call}</span>`),
  ];
  return html`<div class="turn"><p class="asked">${asked === '' ? '(no text)' : asked}</p>
${rounds.map((one, at) => round(one, rounds[at + 1], from, to))}${extras.length === 0 ? NOTHING : html`<p>${extras}</p>`}</div>`;
}

const percent = (part: number, whole: number): number => Math.round((part / whole) * 1000) / 10;

function round(one: RoundRow, next: RoundRow | undefined, from: number, to: number): Html {
  const span = to - from;
  const left = percent(one.startMs - from, span);
  const width = percent(Math.max(0, one.endMs - one.startMs), span);
  const wait =
    next === undefined
      ? NOTHING
      : html`<i class="wait" style="left:${percent(one.endMs - from, span)}%;width:${percent(Math.max(0, next.startMs - one.endMs), span)}%"></i>`;
  const failed =
    one.failed === 0 ? NOTHING : html`<span class="chip alert">${counted(one.failed, 'failed attempt')} before</span>`;
  const below =
    one.said === '' && one.tools.length === 0 && one.failed === 0
      ? NOTHING
      : html`<span class="below">${failed}${one.tools.map(tool)}${one.said === '' ? NOTHING : html`<div class="said">${one.said}</div>`}</span>`;
  return html`<div class="round"><span class="who"><span class="mono">${one.call}</span> <span class="soft">${one.model}</span></span><span class="track"><i style="left:${left}%;width:${width}%"></i>${wait}</span><span class="soft">${duration(Math.max(0, one.endMs - one.startMs))}</span>${below}</div>`;
}

function tool({ name, permission, arguments: given, durationMs, isError, subagent }: ToolRow): Html {
  const time = durationMs === undefined ? '' : ` ${duration(durationMs)}`;
  const target =
    subagent === undefined ? NOTHING : html` → <a href="#conversation-${subagent}">conversation ${subagent}</a>`;
  return html`<span class="chip${isError ? ' alert' : ''}" title="${permission}: ${given}">${name}${time}${isError ? ', failed' : ''}${target}</span>`;
}

const CHART_HEIGHT = 90;
const STEP_WIDTH = 16;

/** One column per call: the prompt, and of it what equals the request before. */
function cacheChart(steps: readonly StepRow[]): Html {
  if (steps.length < 2) return NOTHING;
  const most = Math.max(1, ...steps.map(({ tokens }) => tokens));
  const width = Math.max(320, steps.length * STEP_WIDTH);
  const height = (tokens: number): number => Math.round((tokens / most) * (CHART_HEIGHT - 10) * 10) / 10;
  const columns = steps.map((step, at) => {
    const whole = height(step.tokens);
    const reused = height(Math.min(step.tokens, step.reusable ?? 0));
    const x = at * STEP_WIDTH;
    const title = `${step.call}: ~${counted(step.tokens, 'token')}${step.reusable === undefined ? '' : `, ~${exact(step.reusable)} as before`}${step.cached === undefined ? '' : `, ${exact(step.cached)} read from the cache`}${step.cause === undefined ? '' : `; ${step.cause}`}`;
    const mark = step.cause === undefined ? NOTHING : html`<circle class="f-broken" cx="${x + 6}" cy="4" r="3.5"/>`;
    return html`<g><title>${title}</title><rect class="f-fresh" x="${x}" y="${CHART_HEIGHT - whole}" width="12" height="${whole}" rx="2"/><rect class="f-reused" x="${x}" y="${CHART_HEIGHT - reused}" width="12" height="${reused}" rx="2"/>${mark}</g>`;
  });
  return html`<p style="margin:16px 0 4px"><b>Prompt size by call</b></p><div class="legend"><span><i class="f-reused"></i>same beginning as the call before</span><span><i class="f-fresh"></i>new</span><span><i class="f-broken"></i>beginning broken</span></div>
<svg viewBox="0 0 ${width} ${CHART_HEIGHT}" style="max-width:${width}px" role="img" aria-label="prompt sizes">${columns}</svg>`;
}

function cacheBreak({ call, cause, lostTokens, dollars, at, removed, added }: BreakRow): Html {
  const money = dollars === undefined ? '' : `, about ${moneyText(dollars)} more than a hit`;
  const diff =
    removed === undefined || added === undefined
      ? NOTHING
      : html`<pre class="diff"><span class="del">- ${removed}</span>
<span class="ins">+ ${added}</span></pre>`;
  return html`<p style="margin:10px 0 0"><span class="mono">${call}</span> ${cause}${at === undefined ? '' : ` (${at})`}: <span class="soft">~${counted(lostTokens, 'token')} not reused${money}</span></p>${diff}`;
}
