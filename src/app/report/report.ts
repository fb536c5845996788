// `tracer report`: one document about a session, readable by someone who was not there.

import { basename } from 'node:path';
import { CAUSES, type PriceTable } from '../../insight/index.ts';
import type { SummaryEvent } from '../../model/index.ts';
import { safeJson } from '../../sinks/index.ts';
import { type AnalysedCall, type AnalysisSettings, analyse } from '../analysis.ts';
import type { CacheFindings } from '../cache/findings.ts';
import { callIdText } from '../call-events.ts';
import { installationKey } from '../installation-key.ts';
import type { SessionResult } from '../types.ts';
import { toolVersion } from '../version.ts';
import { ReportCollector } from './collect.ts';
import type { BreakRow, ModelRow, PremiumRow, ReportData } from './data.ts';
import { htmlReport } from './html/page.ts';
import { markdownReport } from './markdown.ts';

export type ReportFormat = 'html' | 'md' | 'json';

export interface ReportSettings extends AnalysisSettings {
  readonly format: ReportFormat;
  readonly prices: PriceTable;
}

export interface ReportAnswer extends SessionResult {
  readonly text: Iterable<string>;
  readonly json: Iterable<unknown>;
}

/** Breaks that are told; `tracer cache --json` lists all. */
const MAX_BREAKS = 50;

export async function report(file: string, settings: ReportSettings): Promise<ReportAnswer> {
  const key = settings.key ?? installationKey().key;
  let collector: ReportCollector | undefined;
  const { exitCode, problem, summary } = await analyse(file, { ...settings, key }, (redactor) => {
    const fresh = new ReportCollector(redactor, key);
    collector = fresh;
    return { call: (call: AnalysedCall) => fresh.call(call), event: (event) => fresh.event(event) };
  });
  if (collector === undefined) throw new Error('the analysis made no visitor');
  if (problem !== null) collector.damaged(problem.message);
  // Some of it was counted on what was captured as it is: names of models, tools, processes.
  const data = collector.value(dataOf(collector, basename(file), summary, settings.prices));
  return { text: textOf(data, settings.format), json: [data], exitCode, problem };
}

function textOf(data: ReportData, format: ReportFormat): Iterable<string> {
  if (format === 'html') return htmlReport(data);
  return format === 'md' ? markdownReport(data) : [safeJson(data, 2)];
}

function dataOf(
  collector: ReportCollector,
  recording: string,
  summary: SummaryEvent | null,
  prices: PriceTable,
): ReportData {
  const cache = collector.cacheFindings(prices);
  const { from, to, durationMs, ...counts } = collector.span(summary);
  return {
    tool: `tracer ${toolVersion()}`,
    recording,
    from,
    to,
    durationMs,
    complete: summary?.complete === true && collector.gaps().length === 0,
    totals: { ...counts, ...byteTotals(collector), ...tokenTotals(cache) },
    findings: collector.findings(),
    hosts: collector.hosts(),
    classes: collector.classes(),
    timeline: collector.timeline(),
    models: cache.costs.map((row) => ({ ...modelRow(row), model: collector.safe(row.model) })),
    prices: { asOf: prices.asOf, source: prices.source },
    premium: cache.premium.map((row) => ({ ...premiumRow(row), model: collector.safe(row.model) })),
    ...collector.context(),
    ...collector.conversations(cache.steps),
    cacheBreaks: cache.breaks.slice(0, MAX_BREAKS).flatMap(breakRow),
    processes: collector.processes(),
    gaps: collector.gaps(),
  };
}

function byteTotals(collector: ReportCollector) {
  const hosts = collector.hosts();
  return {
    sentBytes: hosts.reduce((sum, { sentBytes }) => sum + sentBytes, 0),
    receivedBytes: hosts.reduce((sum, { receivedBytes }) => sum + receivedBytes, 0),
  };
}

function tokenTotals({ costs, premium }: CacheFindings) {
  const priced = costs.filter(({ dollars }) => dollars !== undefined);
  const known = premium.filter(({ requests }) => requests !== undefined);
  return {
    inputTokens: costs.reduce((sum, { usage }) => sum + usage.input, 0),
    cachedTokens: costs.reduce((sum, { usage }) => sum + usage.cached, 0),
    outputTokens: costs.reduce((sum, { usage }) => sum + usage.output, 0),
    ...(priced.length === 0 ? {} : { dollars: priced.reduce((sum, { dollars = 0 }) => sum + dollars, 0) }),
    ...(known.length === 0 ? {} : { premiumRequests: known.reduce((sum, { requests = 0 }) => sum + requests, 0) }),
  };
}

const modelRow = ({ model, calls, unreported, usage, dollars }: CacheFindings['costs'][number]): ModelRow => ({
  model,
  calls,
  unreported,
  input: usage.input,
  cached: usage.cached,
  output: usage.output,
  ...(dollars === undefined ? {} : { dollars }),
});

const premiumRow = ({ model, userCalls, multiplier, requests }: CacheFindings['premium'][number]): PremiumRow => ({
  model,
  userCalls,
  ...(multiplier === undefined ? {} : { multiplier }),
  ...(requests === undefined ? {} : { requests }),
});

/** Control pictures are missing from many fonts. */
const oneLine = (text: string): string => text.replaceAll('\n', ' ↵ ');

function breakRow({ step, lostTokens, dollars }: CacheFindings['breaks'][number]): BreakRow[] {
  const { compared } = step;
  if (compared?.cause === undefined) return [];
  const { difference, at } = compared;
  return [
    {
      call: callIdText(step.call),
      conversation: step.conversation,
      cause: CAUSES[compared.cause],
      lostTokens,
      ...(dollars === undefined ? {} : { dollars }),
      ...(at === undefined ? {} : { at }),
      ...(difference === undefined
        ? {}
        : {
            removed: oneLine(difference.before + difference.removed),
            added: oneLine(difference.before + difference.added),
          }),
    },
  ];
}
