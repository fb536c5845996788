// Who is whose child. One pass over /proc: a snapshot with holes, because processes come and go during it. Whoever needs
// to miss none starts following forks in the kernel first and takes this snapshot afterwards.

import { readdirSync } from 'node:fs';
import { readStat } from './stat.ts';

/** All process ids now, ascending. */
export const listPids = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);

/** Child → parent of all processes that can be read. */
export function readParents(): Map<number, number> {
  const parents = new Map<number, number>();
  for (const pid of listPids()) {
    const stat = readStat(pid);
    if (stat.ok) parents.set(pid, stat.value.parentPid);
  }
  return parents;
}

/** Parent → children of all processes that can be read. */
export function readChildren(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const [pid, parent] of readParents()) {
    const siblings = children.get(parent) ?? [];
    siblings.push(pid);
    children.set(parent, siblings);
  }
  return children;
}

/** `pid` and all below it, parents before children. */
export function treeOf(pid: number, children: ReadonlyMap<number, readonly number[]> = readChildren()): number[] {
  const tree = [pid];
  // `seen` guards against a cycle that a snapshot can contain when a pid is reused while it is taken.
  const seen = new Set(tree);
  for (const parent of tree) {
    for (const child of children.get(parent) ?? []) {
      if (seen.has(child)) continue;
      seen.add(child);
      tree.push(child);
    }
  }
  return tree;
}
