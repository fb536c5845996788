// One row of the classification table: what it takes for a call to be of a class. Rows are plain values, so that rows of
// a user's file can stand beside the built-in ones.

import type { Confidence } from '../model/index.ts';
import type { FactsName } from './facts/table.ts';
import type { HostRole } from './hosts.ts';
import { type CallView, header } from './view.ts';

/** A further condition on headers or body, with its name for the evidence. */
export interface Test {
  readonly says: string;
  readonly holds: (view: CallView) => boolean;
}

export interface ClassRule {
  /** Unique; named in the evidence. */
  readonly id: string;
  readonly class: string;
  /** One line for docs/classes.md. */
  readonly about: string;
  /** Roles of hosts; `any` means that the path is unmistakable on any host. */
  readonly hosts: readonly (HostRole | 'any')[];
  /** Absent: any method. */
  readonly methods?: readonly string[];
  /** True: only hosts known by name, not hosts that are merely marked by Copilot's headers. */
  readonly namedHostOnly?: boolean;
  readonly path: RegExp;
  readonly tests?: readonly Test[];
  /** Dialect of an LLM call. `by-body`: whichever fits best. Absent: not an LLM call, its bodies are not kept. */
  readonly dialect?: string;
  /** Kind of the LLM call; `by-prompt`: told from prompt and headers as for Copilot's own chat. Absent: the class decides. */
  readonly kind?: string;
  /** Facts that are read from the bodies of a call that is no LLM call, see facts/table.ts. Absent: bodies are not kept. */
  readonly keeps?: FactsName;
  /** Where the row comes from, see docs/classes.md. */
  readonly source: string;
  readonly confidence: Confidence;
}

export const test = (says: string, holds: (view: CallView) => boolean): Test => ({ says, holds });

/**
 * Why the rule fits, or undefined. A host that is only marked by headers counts as any of Copilot's own hosts; methods
 * that are not known (joined late) do not speak against a rule.
 */
export function matchRule(rule: ClassRule, view: CallView): string | undefined {
  if (view.path === null || !rule.path.test(view.path)) return undefined;
  const host = matchHost(rule, view);
  if (host === undefined) return undefined;
  if (view.method !== null && rule.methods !== undefined && !rule.methods.includes(view.method)) return undefined;
  for (const { holds } of rule.tests ?? []) if (!holds(view)) return undefined;
  const tests = (rule.tests ?? []).map(({ says }) => says);
  return [host, `path ${rule.path.source.replaceAll('\\/', '/')}`, ...tests].join(', ');
}

const COPILOT_ROLES: ReadonlySet<string> = new Set([
  'capi',
  'proxy',
  'origin-tracker',
  'telemetry',
  'copilot',
  'dotcom',
]);

function matchHost(rule: ClassRule, view: CallView): string | undefined {
  if (rule.hosts.includes(view.role)) return `host ${view.role}`;
  if (rule.namedHostOnly === true) return undefined;
  const isOurs = rule.hosts.some((role) => COPILOT_ROLES.has(role));
  if (view.role === 'copilot' && isOurs) return 'host under githubcopilot.com';
  if (view.marked && isOurs) return 'unknown host with Copilot headers';
  return rule.hosts.includes('any') ? 'any host' : undefined;
}

/** True when the authorization header is a bearer token that begins with `prefix`. */
export const bearerStarts = (view: CallView, prefix: string): boolean =>
  header(view, 'authorization').toLowerCase().startsWith(`bearer ${prefix}`);
