// Collects a recording into a report in one pass, with bounds on everything that grows with it.

import {
  BlindSpots,
  byFile,
  byKind,
  createCallGrouper,
  InventoryBuilder,
  type TextLimits,
  TokenMeter,
} from '../../insight/index.ts';
import type { CallEvent, ProcessEvent, SummaryEvent, TraceEvent } from '../../model/index.ts';
import { createInspector, type Finding, type Redactor, ruleNamed } from '../../privacy/index.ts';
import type { AnalysedCall } from '../analysis.ts';
import { revealed } from '../audit/audit.ts';
import { createJudge } from '../audit/known-hosts.ts';
import { CacheAnalysis } from '../cache/cache.ts';
import type { CacheFindings } from '../cache/findings.ts';
import { callIdText } from '../call-events.ts';
import { HostTls } from '../host-tls.ts';
import { createKeptRules } from '../kept-rules.ts';
import { createShown } from '../shown.ts';
import { createTokenizer } from '../tokenizer.ts';
import { conversationRows, MAX_SHOWN_CHARS } from './conversations.ts';
import type { ClassRow, FindingRow, HostRow, ProcessRow, ReportFile, TimelineCall } from './data.ts';

/** Bars that a reader and a browser can bear. */
const MAX_TIMELINE_CALLS = 4_000;
const MAX_HOSTS = 500;
const MAX_CLASSES = 500;
const MAX_FILES = 300;
const MAX_FINDINGS = 300;
const MAX_PROCESSES = 200;

/** Of each text a little more than a report shows, 8 Mi characters together. */
const SHOWN_TEXTS: TextLimits = { maxChars: MAX_SHOWN_CHARS + 20, maxTotalChars: 8 * 1024 * 1024 };

interface Sum {
  calls: number;
  failed: number;
  sentBytes: number;
  receivedBytes: number;
  readonly classes: Set<string>;
}

export class ReportCollector {
  readonly #redactor: Redactor;
  readonly #inventory: InventoryBuilder;
  readonly #cache: CacheAnalysis;
  readonly #grouper = createCallGrouper(SHOWN_TEXTS);
  readonly #inspector: ReturnType<typeof createInspector>;
  readonly #blind = new BlindSpots();
  readonly #hosts = new Map<string, Sum>();
  readonly #tls = new HostTls();
  readonly #classes = new Map<string, Sum>();
  readonly #timeline: { readonly call: TimelineCall; readonly startNs: bigint; readonly endNs: bigint }[] = [];
  readonly #processes = new Map<number, ProcessRow>();
  #timelineLeft = 0;
  #llmCalls = 0;
  #first: { readonly ns: bigint; readonly ms: number } | null = null;
  #lastNs = 0n;

  constructor(redactor: Redactor, key: Uint8Array) {
    this.#redactor = redactor;
    const meter = new TokenMeter(createTokenizer());
    this.#inventory = new InventoryBuilder(meter);
    this.#cache = new CacheAnalysis(meter, createShown(redactor).text);
    this.#inspector = createInspector({ key, kept: createKeptRules(), judge: createJudge([]), personal: false });
  }

  call(analysed: AnalysedCall): void {
    const { event, call, raw } = analysed;
    this.#inventory.accept(raw);
    // What is shown of a conversation is cut: redaction must come before the cut, or half a secret would stay.
    this.#cache.accept(analysed, this.#grouper.accept(call));
    this.#inspector.call(revealed(analysed), undefined);
    this.#blind.call(raw, event.id, undefined);
    this.#count(event);
    this.#show(event, call.startNs, call.tsNs);
    if (event.llm !== undefined && event.copyOf === undefined) this.#llmCalls += 1;
  }

  event(event: Exclude<TraceEvent, CallEvent>): void {
    this.#blind.event(event);
    this.#begins(event);
    if (event.type === 'process') this.#process(event);
    if (event.type !== 'connection') return;
    this.#tls.connection(event, null);
    this.#inspector.connection(event);
  }

  #begins({ tsNs, time }: { readonly tsNs: string; readonly time: string }): void {
    const ns = BigInt(tsNs);
    if (ns > this.#lastNs) this.#lastNs = ns;
    if (this.#first === null || ns < this.#first.ns) this.#first = { ns, ms: Date.parse(time) };
  }

  #process({ pid, comm, role }: ProcessEvent): void {
    if (this.#processes.size < MAX_PROCESSES) this.#processes.set(pid, { pid, name: comm, role });
  }

  #count(event: CallEvent): void {
    const host = event.host ?? 'unknown host';
    addTo(this.#hosts, host, event, MAX_HOSTS);
    this.#tls.call(event.id, host);
    addTo(this.#classes, event.class, event, MAX_CLASSES);
  }

  #show(event: CallEvent, startNs: bigint, endNs: bigint): void {
    this.#begins(event);
    if (endNs > this.#lastNs) this.#lastNs = endNs;
    if (this.#timeline.length >= MAX_TIMELINE_CALLS) {
      this.#timelineLeft += 1;
      return;
    }
    const { id, host, class: callClass, kind, status, request, response, llm } = event;
    const call = {
      call: id,
      host: host ?? 'unknown host',
      startMs: 0,
      endMs: 0,
      class: callClass,
      ...(kind === undefined ? {} : { kind }),
      ...(llm?.model == null ? {} : { model: llm.model }),
      status,
      sentBytes: request.bytes,
      receivedBytes: response.bytes,
    };
    this.#timeline.push({ call, startNs, endNs });
  }

  #ms(ns: bigint): number {
    return Number((ns - (this.#first?.ns ?? 0n)) / 1000n) / 1000;
  }

  cacheFindings(prices: Parameters<CacheAnalysis['findings']>[0]): CacheFindings {
    return this.#cache.findings(prices);
  }

  /** Without secrets. */
  safe(text: string): string {
    return this.#redactor.text(text);
  }

  /** A plain value without secrets in any string. */
  value<Value>(value: Value): Value {
    return this.#redactor.value(value);
  }

  gaps() {
    return this.#blind.list;
  }

  damaged(why: string): void {
    this.#blind.damaged(why);
  }

  span(summary: SummaryEvent | null) {
    const fromMs = this.#first?.ms ?? 0;
    const durationMs = Math.max(0, this.#ms(this.#lastNs));
    return {
      from: new Date(fromMs).toISOString(),
      to: new Date(fromMs + durationMs).toISOString(),
      durationMs,
      calls: summary?.calls ?? this.#timeline.length + this.#timelineLeft,
      llmCalls: this.#llmCalls,
      connections: summary?.connections ?? 0,
    };
  }

  hosts(): HostRow[] {
    return sumsOf(this.#hosts).map(([host, sum]) => ({
      host,
      ...sum,
      classes: [...sum.classes].sort(),
      tls: this.#tls.of(host),
    }));
  }

  classes(): ClassRow[] {
    return sumsOf(this.#classes).map(([name, { calls, sentBytes, receivedBytes }]) => ({
      class: name,
      calls,
      sentBytes,
      receivedBytes,
    }));
  }

  timeline() {
    const calls = this.#timeline.map(({ call, startNs, endNs }) => ({
      ...call,
      startMs: this.#ms(startNs),
      endMs: this.#ms(endNs),
    }));
    return { calls: calls.sort((a, b) => a.startMs - b.startMs), left: this.#timelineLeft };
  }

  processes(): ProcessRow[] {
    return [...this.#processes.values()].sort((a, b) => a.pid - b.pid);
  }

  context() {
    const { inventory } = this.#inventory;
    const files = byFile(inventory);
    const shown = createShown(this.#redactor);
    return {
      contextKinds: byKind(inventory),
      files: files.slice(0, MAX_FILES).map(
        (row): ReportFile => ({
          ...row,
          path: shown.text(row.path),
          first: callIdText(row.first),
          last: callIdText(row.last),
        }),
      ),
      filesLeft: Math.max(0, files.length - MAX_FILES),
    };
  }

  conversations(steps: CacheFindings['steps']) {
    return conversationRows(this.#grouper.grouping, steps, (ns) => this.#ms(ns));
  }

  findings(): FindingRow[] {
    const order = { high: 0, medium: 1, low: 2 };
    const shown = createShown(this.#redactor);
    return [...this.#inspector.findings()]
      .sort((a, b) => order[a.severity] - order[b.severity])
      .slice(0, MAX_FINDINGS)
      .map((finding) => findingRow(finding, shown.text));
  }
}

const findingRow = (
  { rule, title, severity, call, where, file, fingerprint, timesSent }: Finding,
  safe: (text: string) => string,
): FindingRow => ({
  rule,
  title: title ?? ruleNamed(rule).title,
  severity,
  call,
  where: safe(file === undefined ? where : `${where}, from ${file}`),
  fingerprint,
  timesSent,
});

function addTo(sums: Map<string, Sum>, name: string, event: CallEvent, max: number): void {
  const sum = sums.get(name) ?? { calls: 0, failed: 0, sentBytes: 0, receivedBytes: 0, classes: new Set<string>() };
  if (!sums.has(name) && sums.size >= max) return;
  sums.set(name, sum);
  sum.calls += 1;
  if ((event.status ?? 0) >= 400 || event.end !== 'complete') sum.failed += 1;
  sum.sentBytes += event.request.bytes;
  sum.receivedBytes += event.response.bytes;
  if (sum.classes.size < MAX_CLASSES) sum.classes.add(event.class);
}

const sumsOf = (sums: ReadonlyMap<string, Sum>): [string, Sum][] =>
  [...sums].sort(([, a], [, b]) => b.calls - a.calls || b.sentBytes - a.sentBytes);
