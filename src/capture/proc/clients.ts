// Programs that people want to trace, by name: editors with Copilot and Copilot's own programs. For offering targets; what
// can be traced does not depend on this list.

import { basename } from 'node:path';
import { type ProcessFacts, readProcess } from './process-facts.ts';
import { roleOf } from './roles.ts';
import { listPids, readParents } from './tree.ts';

/** A running editor or Copilot client: the process at the top of its tree. */
export interface RunningClient {
  readonly pid: number;
  /** E.g. `VS Code Insiders`. */
  readonly product: string;
  readonly user: number;
}

type Facts = Pick<ProcessFacts, 'comm' | 'exe' | 'args'>;

interface ProductRow {
  readonly product: string;
  readonly when: (facts: Facts, script: string) => boolean;
}

const programOf = (facts: Facts): string => basename(facts.exe === '' ? (facts.args[0] ?? facts.comm) : facts.exe);
const runs = (name: RegExp) => (facts: Facts) => name.test(programOf(facts)) && isMain(facts);
/** Chromium's and VS Code's helpers are told what they are; `cli.js` only hands over to an editor that runs. */
const isMain = ({ args }: Facts): boolean => !args.some((arg) => /^--type=|\/out\/cli\.js$/.test(arg));

// First match wins: the special name before the general one.
const PRODUCTS: readonly ProductRow[] = [
  { product: 'VS Code Insiders', when: runs(/^code-insiders$/) },
  { product: 'VS Code', when: runs(/^code(-oss)?$/) },
  { product: 'VSCodium', when: runs(/^(vs)?codium(-insiders)?$/) },
  { product: 'Cursor', when: runs(/^cursor$/i) },
  { product: 'Windsurf', when: runs(/^windsurf(-next)?$/i) },
  { product: 'code-server', when: (_, script) => /(^|\/)code-server(\/out\/node\/entry(\.js)?)?$/.test(script) },
  { product: 'VS Code Server', when: (_, script) => /(^|\/)server-main\.js$/.test(script) },
  { product: 'Copilot CLI', when: (facts) => roleOf(facts) === 'copilot-cli' },
  {
    product: 'Copilot language server',
    when: (facts, script) =>
      /^copilot-language-server/.test(programOf(facts)) || /copilot-language-server/.test(script),
  },
];

/** Which product a process is; undefined for all others, helpers of an editor included. */
export function productOf(facts: Facts): string | undefined {
  const script = facts.args.slice(1).find((arg) => !arg.startsWith('-')) ?? '';
  return PRODUCTS.find((row) => row.when(facts, script))?.product;
}

/** `pid` and what is above it, nearest first. */
export function ancestorsOf(pid: number, parents: ReadonlyMap<number, number>): readonly number[] {
  const line: number[] = [];
  for (let at = parents.get(pid); at !== undefined && at > 0 && !line.includes(at); at = parents.get(at)) line.push(at);
  return line;
}

/** Editors and Copilot clients that run now; one that belongs to another is not listed, its tree is. */
export function runningClients(): readonly RunningClient[] {
  const parents = readParents();
  const found = listPids().flatMap((pid): RunningClient[] => {
    const facts = readProcess(pid);
    const product = facts.ok && !facts.value.isKernelThread ? productOf(facts.value) : undefined;
    return facts.ok && product !== undefined ? [{ pid, product, user: facts.value.uid }] : [];
  });
  const pids = new Set(found.map((client) => client.pid));
  return found.filter((client) => !ancestorsOf(client.pid, parents).some((pid) => pids.has(pid)));
}
