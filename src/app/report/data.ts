// What a report says, as plain values: the same for every format. Everything in it is redacted.

import type { BlindSpot, FileRow, KindRow } from '../../insight/index.ts';
import type { TlsRow } from '../host-tls.ts';

export interface ReportData {
  readonly tool: string;
  /** Name of the recording, without its folder. */
  readonly recording: string;
  /** UTC, ISO 8601. */
  readonly from: string;
  readonly to: string;
  readonly durationMs: number;
  /** False when the recording lacks something. */
  readonly complete: boolean;
  readonly totals: Totals;
  readonly findings: readonly FindingRow[];
  readonly hosts: readonly HostRow[];
  readonly classes: readonly ClassRow[];
  readonly timeline: Timeline;
  readonly models: readonly ModelRow[];
  readonly prices: { readonly asOf: string; readonly source: string };
  readonly premium: readonly PremiumRow[];
  readonly contextKinds: readonly KindRow[];
  readonly files: readonly ReportFile[];
  readonly filesLeft: number;
  readonly conversations: readonly ConversationRow[];
  readonly conversationsLeft: number;
  readonly cacheBreaks: readonly BreakRow[];
  readonly processes: readonly ProcessRow[];
  readonly gaps: readonly BlindSpot[];
}

export interface Totals {
  readonly calls: number;
  readonly llmCalls: number;
  readonly connections: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  /** Estimate at list prices; absent when no model has a price. */
  readonly dollars?: number;
  readonly premiumRequests?: number;
}

export interface FindingRow {
  readonly rule: string;
  readonly title: string;
  readonly severity: string;
  readonly call: string;
  readonly where: string;
  readonly fingerprint: string;
  readonly timesSent: number;
}

export interface HostRow {
  readonly host: string;
  readonly calls: number;
  readonly failed: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
  readonly classes: readonly string[];
  /** What its connections negotiated, where the TLS library told. */
  readonly tls: readonly TlsRow[];
}

export interface ClassRow {
  readonly class: string;
  readonly calls: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

export interface Timeline {
  readonly calls: readonly TimelineCall[];
  /** Calls beyond the bound. */
  readonly left: number;
}

export interface TimelineCall {
  readonly call: string;
  readonly host: string;
  /** Milliseconds since the session began. */
  readonly startMs: number;
  readonly endMs: number;
  readonly class: string;
  readonly kind?: string;
  readonly model?: string;
  readonly status: number | null;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

export interface ModelRow {
  readonly model: string;
  readonly calls: number;
  readonly unreported: number;
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly dollars?: number;
}

export interface PremiumRow {
  readonly model: string;
  readonly userCalls: number;
  readonly multiplier?: number;
  readonly requests?: number;
}

export type ReportFile = Omit<FileRow, 'first' | 'last'> & { readonly first: string; readonly last: string };

export interface ConversationRow {
  readonly number: number;
  readonly kind: string;
  readonly parent?: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly turns: readonly TurnRow[];
  readonly turnsLeft: number;
  /** Prompt sizes of its calls, for caching. */
  readonly steps: readonly StepRow[];
}

export interface TurnRow {
  readonly asked: string;
  readonly rounds: readonly RoundRow[];
  readonly compactions: readonly string[];
  readonly helpers: readonly { readonly call: string; readonly kind: string }[];
}

export interface RoundRow {
  readonly call: string;
  readonly model: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly said: string;
  readonly failed: number;
  readonly tools: readonly ToolRow[];
}

export interface ToolRow {
  readonly name: string;
  readonly permission: string;
  readonly arguments: string;
  readonly durationMs?: number;
  readonly isError: boolean;
  readonly subagent?: number;
}

export interface StepRow {
  readonly call: string;
  readonly tokens: number;
  readonly reusable?: number;
  readonly input?: number;
  readonly cached?: number;
  readonly cause?: string;
}

export interface BreakRow {
  readonly call: string;
  readonly conversation: number;
  readonly cause: string;
  readonly lostTokens: number;
  readonly dollars?: number;
  readonly at?: string;
  readonly removed?: string;
  readonly added?: string;
}

export interface ProcessRow {
  readonly pid: number;
  readonly name: string;
  readonly role: string;
}
