// Caching and cost for people: a table per conversation, then the breaks that cost most, then money.

import { CAUSES, type CacheStep, type CostRow, type PremiumUse, type PriceTable } from '../../insight/index.ts';
import { counted, duration, exact } from '../../sinks/index.ts';
import { callIdText } from '../call-events.ts';
import type { Shown } from '../shown.ts';
import { tableLines } from '../table.ts';
import type { CacheBreak, CacheFindings } from './findings.ts';

/** Breaks that are listed with their difference. */
const MAX_BREAKS = 10;

const plain = (text: string): string => text;

export function* cacheText(findings: CacheFindings, shown: Shown): Generator<string> {
  const { steps, breaks, left } = findings;
  if (steps.length === 0)
    yield 'no conversation in this recording: completions and suggestions have no history to cache';
  for (const group of byConversation(steps)) yield* conversationText(group, shown);
  if (breaks.length > 0) yield* breaksText(breaks, shown);
  yield* costText(findings.costs, findings.prices, shown);
  yield* premiumText(findings.premium, shown);
  if (left > 0) yield `${counted(left, 'further call')} not listed: too many`;
  if (steps.length > 0) yield NOTE;
}

const NOTE =
  'Prompt and reusable are estimated tokens of the text (tools, system, messages); cached and input are what the provider reported.';

function* byConversation(steps: readonly CacheStep[]): Generator<readonly CacheStep[]> {
  const groups = new Map<number, CacheStep[]>();
  for (const step of steps) {
    const group = groups.get(step.conversation);
    if (group === undefined) groups.set(step.conversation, [step]);
    else group.push(step);
  }
  yield* groups.values();
}

const COLUMNS = [
  { title: '  call', align: 'left' },
  { title: 'model', align: 'left' },
  { title: 'prompt', align: 'right' },
  { title: 'reusable', align: 'right' },
  { title: 'input', align: 'right' },
  { title: 'cached', align: 'right' },
  { title: 'hit', align: 'right' },
  { title: 'remarks', align: 'left' },
] as const;

function* conversationText(steps: readonly CacheStep[], shown: Shown): Generator<string> {
  const [first] = steps;
  if (first === undefined) return;
  yield `conversation ${first.conversation} · ${shown.line(first.kind)} · ${counted(steps.length, 'call')} · hit ratio ${hitRatio(steps)}`;
  yield* tableLines(
    COLUMNS,
    steps.map((step) => rowOf(step, shown)),
    null,
    plain,
  );
  yield '';
}

function hitRatio(steps: readonly CacheStep[]): string {
  const reported = steps.filter(({ usage }) => usage.input !== undefined && usage.cached !== undefined);
  const input = reported.reduce((sum, { usage }) => sum + (usage.input ?? 0), 0);
  const cached = reported.reduce((sum, { usage }) => sum + (usage.cached ?? 0), 0);
  return input === 0 ? 'not reported' : percent(cached, input);
}

const percent = (part: number, whole: number): string => (whole === 0 ? '-' : `${Math.round((part / whole) * 100)}%`);

function rowOf(step: CacheStep, shown: Shown): string[] {
  const { compared, usage } = step;
  const { input, cached } = usage;
  return [
    `  ${callIdText(step.call)}`,
    shown.line(step.model ?? '-'),
    `~${exact(step.tokens)}`,
    compared === undefined ? '-' : `~${exact(compared.tokens)}`,
    input === undefined ? '-' : exact(input),
    cached === undefined ? '-' : exact(cached),
    input === undefined || cached === undefined ? '-' : percent(cached, input),
    remarks(step, shown),
  ];
}

function remarks({ compared, unserved, chained, idleMs, usage }: CacheStep, shown: Shown): string {
  const written =
    usage.cacheWrite === undefined || usage.cacheWrite === 0 ? [] : [`${exact(usage.cacheWrite)} written`];
  if (compared === undefined) return ['first', ...written].join(', ');
  const idle = idleMs !== undefined && idleMs > 60_000 ? ` after ${duration(idleMs)} of silence` : '';
  return [
    ...(chained ? ['continues the provider’s own copy'] : []),
    ...(compared.cause === undefined
      ? []
      : [`${CAUSES[compared.cause]}${compared.at === undefined ? '' : ` (${shown.line(compared.at)})`}`]),
    ...(unserved && compared.cause === undefined ? [`same beginning, yet hardly read from the cache${idle}`] : []),
    ...written,
  ].join(', ');
}

export function* breaksText(breaks: readonly CacheBreak[], shown: Shown): Generator<string> {
  yield 'most expensive breaks';
  for (const { step, lostTokens, dollars } of breaks.slice(0, MAX_BREAKS)) {
    const { compared } = step;
    if (compared?.cause === undefined) continue;
    const money = dollars === undefined ? '' : `, about ${moneyText(dollars)} more than a hit`;
    yield `  ${callIdText(step.call)}: ${CAUSES[compared.cause]}; ~${counted(lostTokens, 'token')} not reused${money}`;
    const difference = compared.difference;
    if (difference === undefined) continue;
    yield `      ${shown.line(compared.at ?? '')}, line ${difference.line}`;
    yield `      - ${shown.line(difference.before + difference.removed)}`;
    yield `      + ${shown.line(difference.before + difference.added)}`;
  }
  if (breaks.length > MAX_BREAKS) yield `  and ${counted(breaks.length - MAX_BREAKS, 'more break')} (--json lists all)`;
  yield '';
}

/** Enough digits to see something, no more than the estimate is worth. */
export const moneyText = (dollars: number): string =>
  dollars >= 0.995 ? `$${dollars.toFixed(2)}` : dollars === 0 ? '$0' : `$${dollars.toPrecision(2)}`;

const COST_COLUMNS = [
  { title: '  model', align: 'left' },
  { title: 'calls', align: 'right' },
  { title: 'input', align: 'right' },
  { title: 'cached', align: 'right' },
  { title: 'output', align: 'right' },
  { title: 'estimate', align: 'right' },
  { title: '', align: 'left' },
] as const;

function* costText(costs: readonly CostRow[], prices: PriceTable, shown: Shown): Generator<string> {
  if (costs.length === 0) return;
  yield `cost at ${shown.line(prices.source)}, ${shown.line(prices.asOf)} (an estimate; a subscription pays otherwise)`;
  const rows = costs.map(({ model, calls, unreported, usage, dollars }) => [
    `  ${shown.line(model)}`,
    exact(calls),
    exact(usage.input),
    exact(usage.cached),
    exact(usage.output),
    dollars === undefined ? '-' : moneyText(dollars),
    [
      ...(dollars === undefined ? ['no price known'] : []),
      ...(unreported > 0 ? [`${counted(unreported, 'call')} without reported usage`] : []),
    ].join(', '),
  ]);
  yield* tableLines(COST_COLUMNS, rows, null, plain);
  yield '';
}

function* premiumText(premium: readonly PremiumUse[], shown: Shown): Generator<string> {
  if (premium.length === 0) return;
  yield 'premium requests (calls set off by the user times the model’s multiplier, from the model list)';
  for (const { model, userCalls, multiplier, discount, requests } of premium) {
    const auto = discount > 0 ? `, less ${Math.round(discount * 100)}% in Auto mode` : '';
    const counts = multiplier === undefined ? 'multiplier not seen' : `× ${multiplier}${auto} = ${requests}`;
    yield `  ${shown.line(model)}: ${counted(userCalls, 'call')} ${counts}`;
  }
  yield '';
}
