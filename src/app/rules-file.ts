// `--rules FILE`: reads the user's own classification rules. Read before anything is attached, as the invoking user.

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type ClassRule, readOwnRules } from '../copilot/index.ts';
import { readingReason, TracerError } from '../errors.ts';

/** Problems that fit into one message; the next run shows the rest. */
const MAX_SHOWN = 5;

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const reason = readingReason(cause);
    throw new TracerError('E_RULES_UNREADABLE', { path, reason }, { cause });
  }
}

/** Throws E_RULES_UNREADABLE, and E_RULES_INVALID with the line of every problem. No file, no rules. */
export function readRulesFile(path: string | undefined): readonly ClassRule[] {
  if (path === undefined) return [];
  const { rules, problems } = readOwnRules(readText(path), basename(path));
  const [first, ...more] = problems;
  if (first === undefined) return rules;
  const shown = more.slice(0, MAX_SHOWN - 1).map(({ line, message }) => `; line ${line}: ${message}`);
  const left = more.length - shown.length;
  const others = shown.join('') + (left > 0 ? `; and ${left} more` : '');
  throw new TracerError('E_RULES_INVALID', { path, line: first.line, reason: `${first.message}${others}` });
}
