// Names a call: first by the table of classes, then, when the path is not known or the host is nobody's, by the shape of
// what was said. Pure; may be asked again whenever more of the call is known.

import { bestDialect, type DIALECTS } from '../dialects/index.ts';
import type { Confidence } from '../model/index.ts';
import { CLASSES } from './classes.ts';
import type { FactsName } from './facts/table.ts';
import type { HostRole } from './hosts.ts';
import { type ClassRule, matchRule } from './rule.ts';
import type { CallView } from './view.ts';

export interface Classification {
  readonly class: string;
  readonly evidence: string;
  readonly confidence: Confidence;
  /** Name of the dialect that decodes it; absent when it is no LLM call. */
  readonly dialect?: string;
  /** Kind that the rule names, or `by-prompt`; absent: the class decides. */
  readonly kind?: string;
  /** Facts that its bodies are kept for; absent when there are none. */
  readonly keeps?: FactsName;
}

export function classify(view: CallView, rules: readonly ClassRule[] = CLASSES): Classification {
  for (const rule of rules) {
    const why = matchRule(rule, view);
    if (why === undefined) continue;
    const dialect = rule.dialect === 'by-body' ? bestDialect(view)?.dialect.name : rule.dialect;
    return {
      class: rule.class,
      evidence: `${rule.id}: ${why} (${rule.source})`,
      confidence: rule.confidence,
      ...(dialect === undefined ? {} : { dialect }),
      ...(rule.kind === undefined ? {} : { kind: rule.kind }),
      ...(rule.keeps === undefined ? {} : { keeps: rule.keeps }),
    };
  }
  return byShape(view) ?? fallback(view);
}

/** Below this a dialect's score is no evidence by itself. */
const SHAPE_SCORE = 40;

type DialectName = (typeof DIALECTS)[number]['name'];

/** Class of a call at one of Copilot's hosts (or at an unknown one) whose path is not known, by its dialect. */
const CLASS_BY_DIALECT: Readonly<Record<DialectName, string>> = {
  nes: 'nes',
  'openai-completions': 'completions.inline',
  embeddings: 'embeddings.capi',
  gemini: 'byok.gemini',
  ollama: 'byok.ollama',
  'openai-responses': 'chat.responses',
  'anthropic-messages': 'chat.messages',
  'openai-chat': 'chat.completions',
};

/** Roles whose calls are Copilot's own, and `unknown`: a late join may know neither host nor path. */
const SHAPED: ReadonlySet<HostRole> = new Set(['capi', 'proxy', 'copilot', 'dotcom', 'unknown', 'loopback']);

function byShape(view: CallView): Classification | undefined {
  const best = bestDialect(view);
  if (best === undefined || best.score < SHAPE_SCORE || !SHAPED.has(view.role)) return undefined;
  const dialect = best.dialect.name;
  if (view.path === null) return lateJoin(view, dialect);
  if (isOurs(view)) return undefined;
  // An unknown host with a known path: only what is really shaped like an LLM call, not every `/messages`.
  if (view.method !== 'POST' && !view.socket) return undefined;
  const shaped = bestDialect({ ...view, path: null });
  if (shaped === undefined || shaped.score < SHAPE_SCORE) return undefined;
  // Joined late, the host is in the header table's past: a host that is nobody's is another thing than one not known.
  if (view.host === null) return lateJoin(view, shaped.dialect.name);
  return {
    class: 'byok.custom',
    evidence: `shape: ${dialect} at a host that is not known`,
    confidence: 'low',
    dialect,
  };
}

function lateJoin(view: CallView, dialect: string): Classification {
  const path = view.path === null ? 'path not known, ' : '';
  const role = view.role === 'unknown' ? 'host not known' : `host ${view.role}`;
  return {
    class: shapedClass(view, dialect),
    evidence: `shape: ${path}${role}, body or answer is ${dialect}`,
    confidence: view.role === 'unknown' ? 'low' : 'medium',
    dialect,
  };
}

function shapedClass(view: CallView, dialect: string): string {
  if (dialect === 'openai-chat' && view.role === 'proxy') return 'nes';
  if (dialect === 'openai-responses' && view.socket) return 'chat.responses.ws';
  if (dialect === 'embeddings' && view.role === 'dotcom') return 'embeddings.dotcom';
  return Object.entries(CLASS_BY_DIALECT).find(([name]) => name === dialect)?.[1] ?? 'http.other';
}

const OURS: ReadonlySet<HostRole> = new Set(['capi', 'proxy', 'origin-tracker', 'telemetry', 'copilot', 'dotcom']);

const isOurs = (view: CallView): boolean => OURS.has(view.role) || view.marked;

function fallback(view: CallView): Classification {
  const path = view.path === null ? 'path not known' : 'no rule for this path';
  if (isOurs(view)) {
    const why = view.marked ? 'Copilot headers' : `host ${view.role}`;
    return { class: 'copilot.unknown', evidence: `fallback: ${why}, ${path}`, confidence: 'low' };
  }
  const why = view.host === null ? 'host not known' : 'no rule for this host';
  return { class: 'http.other', evidence: `fallback: ${why}, ${path}`, confidence: 'high' };
}
