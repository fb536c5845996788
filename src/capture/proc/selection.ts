// Which processes a user means: by name, by program file, or all. Only the topmost of each tree, where children follow.

import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { failFromError } from './attempt.ts';
import { ancestorsOf } from './clients.ts';
import { type ProcessFacts, readProcess } from './process-facts.ts';
import { roleOf } from './roles.ts';
import { listPids, readParents } from './tree.ts';

/** What processes must be like. All given conditions must hold. */
export interface Condition {
  /** `*`, `?` and `[abc]` as in a shell, for the process's name, its program's name, or its role. */
  readonly name?: string;
  /** The very file, or what was at that path when the process began. */
  readonly exe?: string;
}

/** A shell pattern as a regular expression for a whole text. */
export function globToRegExp(glob: string): RegExp {
  const body = glob
    .replace(/[.+^${}()|\\]/g, '\\$&')
    .replace(/\[!/g, '[^')
    .replace(/\*+/g, '.*')
    .replace(/\?/g, '.');
  try {
    return new RegExp(`^${body}$`, 's');
  } catch {
    // An unclosed bracket stands for itself, as in a shell.
    return new RegExp(`^${body.replace(/[[\]]/g, '\\$&')}$`, 's');
  }
}

function fileOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}/${ino}`;
  } catch (error) {
    failFromError(error, path);
    return undefined;
  }
}

/** True when the process is one that the condition means. */
export function isMeant(facts: ProcessFacts, { name, exe }: Condition): boolean {
  const pattern = name === undefined ? undefined : globToRegExp(name);
  const names = [facts.comm, basename(facts.exe), roleOf(facts)];
  if (pattern !== undefined && !names.some((one) => pattern.test(one))) return false;
  if (exe === undefined) return true;
  const file = fileOf(exe);
  return facts.exe === exe || (file !== undefined && file === fileOf(`/proc/${facts.pid}/exe`));
}

/** Pids that have none of the others above them. */
export function topmost(pids: readonly number[], parents: ReadonlyMap<number, number>): readonly number[] {
  const all = new Set(pids);
  return pids.filter((pid) => !ancestorsOf(pid, parents).some((ancestor) => all.has(ancestor)));
}

/** Processes that the condition means, this one excepted, ascending; of a tree only the topmost when `withChildren`. */
export function selectProcesses(condition: Condition, withChildren: boolean): readonly number[] {
  const pids = listPids().filter((pid) => {
    if (pid === process.pid) return false;
    const facts = readProcess(pid);
    return facts.ok && !facts.value.isKernelThread && isMeant(facts.value, condition);
  });
  return withChildren ? topmost(pids, readParents()) : pids;
}
