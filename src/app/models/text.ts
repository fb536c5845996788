// `tracer models` for people: what was offered, what was chosen and by whom, what answered, what it counted.

import {
  type ModelsReport,
  type ModelUse,
  type PremiumUse,
  type QuotaPoint,
  type RouterDecision,
  substitutes,
} from '../../insight/index.ts';
import type { ModelInfo } from '../../model/index.ts';
import { counted, exact, type Paint, shorten, timeOfDay, visible } from '../../sinks/index.ts';
import { callIdText } from '../call-events.ts';
import { type Column, tableLines } from '../table.ts';
import type { WallTime } from '../wall.ts';

export interface ModelsView {
  readonly columns: number | null;
  readonly paint: Paint;
  readonly wall: WallTime;
}

type Section = (report: ModelsReport, view: ModelsView) => Iterable<string>;

const MAX_QUESTION_CELLS = 100;

/** Title, and the lines below it; a section without lines is left out. In the order in which a session goes. */
const SECTIONS: readonly (readonly [title: string, lines: Section])[] = [
  ['Model lists', discoveryLines],
  ['Models', modelLines],
  ['Auto mode', autoLines],
  ['Router', routerLines],
  ['Used', useLines],
  ['Answered by another model', fallbackLines],
  ['Limits', limitLines],
  ['Quota', quotaLines],
  ['Premium requests', premiumLines],
];

export function* modelsText(report: ModelsReport, view: ModelsView): Generator<string> {
  let isFirst = true;
  for (const [title, linesOf] of SECTIONS) {
    const lines = [...linesOf(report, view)];
    if (lines.length === 0) continue;
    if (!isFirst) yield '';
    isFirst = false;
    yield view.paint(title, 'bold');
    for (const line of lines) yield `  ${line}`.trimEnd();
  }
  if (isFirst) yield 'No call of this recording says anything about models.';
}

const at = (wall: WallTime, call: { readonly call: Parameters<typeof callIdText>[0]; readonly atNs: bigint }): string =>
  `${timeOfDay(wall.iso(call.atNs))}  ${callIdText(call.call)}`;

function* discoveryLines({ discoveries }: ModelsReport, { wall }: ModelsView): Generator<string> {
  for (const discovery of discoveries) {
    const changes = [
      ...discovery.added.map((model) => `+${model}`),
      ...discovery.removed.map((model) => `-${model}`),
    ].join(' ');
    yield visible(
      `${at(wall, discovery)}  ${discovery.class} of ${discovery.host ?? '-'}: ${discovery.models} ${changes}`.trimEnd(),
    );
  }
}

const columns = (...titles: readonly string[]): Column[] =>
  titles.map((title) => (title.startsWith('>') ? { title: title.slice(1), align: 'right' } : { title, align: 'left' }));

const inner = (view: ModelsView): number | null => (view.columns === null ? null : view.columns - 2);

function* modelLines({ models }: ModelsReport, view: ModelsView): Iterable<string> {
  if (models.length === 0) return;
  const heads = columns('MODEL', 'VENDOR', '>MULTIPLIER', '>PROMPT', '>OUTPUT', 'ENDPOINTS', 'NOTES');
  yield* tableLines(heads, models.map(modelRow), inner(view), view.paint);
}

const modelRow = (model: ModelInfo): string[] => [
  visible(model.id),
  visible(model.vendor ?? ''),
  model.multiplier === undefined ? '' : `${model.multiplier}x`,
  model.maxPromptTokens === undefined ? '' : exact(model.maxPromptTokens),
  model.maxOutputTokens === undefined ? '' : exact(model.maxOutputTokens),
  visible((model.endpoints ?? []).join(' ')),
  visible(notesOf(model).join(', ')),
];

const notesOf = (model: ModelInfo): string[] => [
  ...(model.isDefault === true ? ['default'] : []),
  ...(model.isFallback === true ? ['fallback'] : []),
  ...(model.isPreview === true ? ['preview'] : []),
  ...(model.service === undefined ? [] : [model.service]),
  ...(model.policy === undefined || model.policy === 'enabled' ? [] : [`policy ${model.policy}`]),
  ...(model.warnings ?? []),
];

function* autoLines({ autoSessions }: ModelsReport, { wall }: ModelsView): Generator<string> {
  for (const { facts, ...session } of autoSessions) {
    const available = facts.available ?? (facts.selected === undefined ? [] : [facts.selected]);
    const discounts = Object.entries(facts.discounts ?? {}).map(
      ([model, part]) => `${model} -${Math.round(part * 100)}%`,
    );
    const off = discounts.length === 0 ? '' : `; discounts ${discounts.join(', ')}`;
    const may = available.length === 0 ? 'no models named' : `may use ${available.join(', ')}`;
    yield visible(`${at(wall, session)}  ${may}${off}`);
  }
}

function* routerLines({ decisions }: ModelsReport, { wall }: ModelsView): Generator<string> {
  for (const decision of decisions) {
    const { facts } = decision;
    yield visible(`${at(wall, decision)}  ${decisionText(decision)}`);
    const question = (facts.prompt ?? '').replace(/\s+/g, ' ');
    if (question !== '') yield `    asked   ${shorten(visible(question), MAX_QUESTION_CELLS)}`;
    const scores = Object.entries(facts.scores ?? {}).map(([name, score]) => `${name} ${score}`);
    if (scores.length > 0) yield visible(`    scores  ${scores.join(', ')}`);
    if (facts.candidates !== undefined) yield visible(`    of      ${facts.candidates.join(', ')}`);
    yield `    then    ${answerText(decision)}`;
  }
}

function decisionText({ facts, status }: RouterDecision): string {
  if (facts.isFallback === true)
    return `fell back${facts.fallbackReason === undefined ? '' : `: ${facts.fallbackReason}`}`;
  if (facts.label === undefined && facts.chosen === undefined) return `no decision (status ${status ?? '-'})`;
  const confidence = facts.confidence === undefined ? '' : ` ${facts.confidence}`;
  const chosen = facts.chosen === undefined ? '' : ` → ${facts.chosen}`;
  return `${facts.label ?? 'chose'}${confidence}${chosen}${facts.isSticky === true ? ' (stays with the model before)' : ''}`;
}

function answerText({ answer }: RouterDecision): string {
  if (answer === undefined) return 'no call with this question';
  const by =
    answer.answeredBy === null || answer.answeredBy === answer.asked ? '' : `, answered by ${answer.answeredBy}`;
  return visible(`${callIdText(answer.call)} asked ${answer.asked ?? 'no model'}${by}`);
}

function* useLines({ uses }: ModelsReport, view: ModelsView): Generator<string> {
  if (uses.length === 0) return;
  const heads = columns(
    'MODEL',
    'HOST',
    '>CALLS',
    '>BY USER',
    '>BY AGENT',
    '>ERRORS',
    '>IN',
    '>CACHED',
    '>OUT',
    'ANSWERED BY',
  );
  yield* tableLines(heads, uses.map(useRow), inner(view), view.paint);
}

const useRow = (use: ModelUse): string[] => [
  visible(use.model),
  visible(use.host ?? '-'),
  exact(use.calls),
  exact(use.byInitiator.user),
  exact(use.byInitiator.agent),
  use.errors === 0 ? '' : exact(use.errors),
  use.usage.input === undefined ? '' : exact(use.usage.input),
  use.usage.cached === undefined ? '' : exact(use.usage.cached),
  use.usage.output === undefined ? '' : exact(use.usage.output),
  visible(answeredText(use)),
];

function answeredText(use: ModelUse): string {
  const others = new Set(substitutes(use).map(([name]) => name));
  return Object.entries(use.answeredBy)
    .filter(([name]) => name !== use.model)
    .map(([name, count]) => `${name} ${exact(count)}${others.has(name) ? ' (another model)' : ''}`)
    .join(', ');
}

function* fallbackLines({ fallbacks }: ModelsReport, { wall }: ModelsView): Generator<string> {
  for (const fallback of fallbacks)
    yield visible(`${at(wall, fallback)}  asked ${fallback.asked}, answered by ${fallback.answeredBy}`);
}

function* limitLines({ limits }: ModelsReport, { wall }: ModelsView): Generator<string> {
  for (const limit of limits) {
    const name = limit.exceeded === undefined ? '' : ` (${limit.exceeded})`;
    const again = limit.retryAfter === undefined ? '' : `, again after ${limit.retryAfter} s`;
    yield visible(
      `${at(wall, limit)}  ${limit.model ?? '-'}: ${limit.code}${name}${again}  ${limit.message}`.trimEnd(),
    );
  }
}

/** Points of one quota that are shown: the first and the last ones. */
const MAX_POINTS = 10;

function* quotaLines({ quotas }: ModelsReport, { wall }: ModelsView): Generator<string> {
  for (const { name, points, snapshots } of quotas) {
    yield visible(`${name} (${counted(snapshots, 'snapshot')})`);
    const shown = points.length <= MAX_POINTS ? points : [...points.slice(0, 1), ...points.slice(1 - MAX_POINTS)];
    for (const point of shown) yield visible(`  ${at(wall, point)}  ${quotaText(point)}`);
  }
}

function quotaText({ quota, used, source }: QuotaPoint): string {
  const { entitlement, percentRemaining, overageUsed, isOverageAllowed, resets } = quota;
  const amount = entitlement === null ? 'unlimited' : `${used ?? '-'} of ${exact(entitlement)} used`;
  const left = percentRemaining === null || entitlement === null ? '' : `, ${percentRemaining}% left`;
  const over = overageUsed === undefined || overageUsed === 0 ? '' : `, ${overageUsed} over`;
  const paid = isOverageAllowed === true ? ', more is allowed' : '';
  return `${amount}${left}${over}${paid}${resets === undefined ? '' : `, resets ${resets}`} (${source})`;
}

function* premiumLines({ premium }: ModelsReport, view: ModelsView): Generator<string> {
  if (premium.length === 0) return;
  const heads = columns('MODEL', '>USER CALLS', '>IN AUTO MODE', '>MULTIPLIER', '>DISCOUNT', '>PREMIUM REQUESTS');
  yield* tableLines(heads, premium.map(premiumRow), inner(view), view.paint);
  const known = premium.filter(({ requests }) => requests !== undefined);
  const sum = known.reduce((total, { requests }) => total + (requests ?? 0), 0);
  const unknown = premium.length - known.length;
  yield `together ${Math.round(sum * 1000) / 1000}${unknown === 0 ? '' : `, without ${counted(unknown, 'model')} of which no list tells the multiplier`}`;
}

const premiumRow = ({ model, userCalls, autoUserCalls, multiplier, discount, requests }: PremiumUse): string[] => [
  visible(model),
  exact(userCalls),
  autoUserCalls === 0 ? '' : exact(autoUserCalls),
  multiplier === undefined ? 'unknown' : `${multiplier}x`,
  autoUserCalls === 0 || discount === 0 ? '' : `${Math.round(discount * 100)}%`,
  requests === undefined ? 'unknown' : String(requests),
];
