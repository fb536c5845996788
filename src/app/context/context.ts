// `tracer context`: which files and texts went out, to whom, how often, and by which mechanism.

import { statSync } from 'node:fs';
import { TracerError } from '../../errors.ts';
import {
  byCall,
  byFile,
  byKind,
  type CallRow,
  type FileRow,
  type Inventory,
  InventoryBuilder,
  type KindRow,
  TokenMeter,
} from '../../insight/index.ts';
import type { ExclusionRule } from '../../model/index.ts';
import { type AnalysedCall, type AnalysisSettings, analyse } from '../analysis.ts';
import { callIdText } from '../call-events.ts';
import { createShown, type Shown } from '../shown.ts';
import { createTokenizer } from '../tokenizer.ts';
import type { SessionResult } from '../types.ts';
import { callText, fileText, kindText, leftText } from './text.ts';
import { Workspace, type WorkspaceMarks } from './workspace.ts';

export type ContextBy = 'file' | 'call' | 'kind';

export interface ContextSettings extends AnalysisSettings {
  readonly by: ContextBy;
  /** Folder of the workspace: marks what git ignores, what is hidden, what is excluded. */
  readonly workspace?: string | undefined;
}

export interface ContextAnswer extends SessionResult {
  readonly text: Iterable<string>;
  readonly json: Iterable<unknown>;
}

/** Throws E_CLI_USAGE when the workspace is no folder. */
export async function context(file: string, settings: ContextSettings): Promise<ContextAnswer> {
  requireFolder(settings.workspace);
  const builder = new InventoryBuilder(new TokenMeter(createTokenizer()));
  const rules: ExclusionRule[] = [];
  let shown: Shown = NOTHING_SHOWN;
  const { exitCode, problem } = await analyse(file, settings, (redactor) => {
    shown = createShown(redactor);
    return {
      call: ({ raw }: AnalysedCall) => {
        if (raw.service?.facts === 'exclusion') rules.push(...raw.service.rules.slice(0, MAX_RULES - rules.length));
        builder.accept(raw);
      },
    };
  });
  const rows = { inventory: builder.inventory, marksOf: marker(settings.workspace, rules), shown };
  return { text: textOf(rows, settings.by), json: jsonOf(rows, settings.by), exitCode, problem };
}

/** In the place of the redactor until there is one. */
const NOTHING_SHOWN: Shown = { text: () => '', line: () => '', value: (value) => value };

/** Rules are asked for again every half hour; these are those of some hundred answers. */
const MAX_RULES = 50_000;

/** Of a folder that is not there every file would be called outside of it. */
function requireFolder(path: string | undefined): void {
  if (path === undefined || statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new TracerError('E_CLI_USAGE', { what: `${path} is no folder`, command: 'context' });
}

type MarksOf = (path: string) => WorkspaceMarks | undefined;

function marker(directory: string | undefined, rules: readonly ExclusionRule[]): MarksOf {
  if (directory === undefined) return () => undefined;
  const workspace = new Workspace(directory);
  const distinct = [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
  return (path) => workspace.marks(path, distinct);
}

interface Rows {
  readonly inventory: Inventory;
  readonly marksOf: MarksOf;
  readonly shown: Shown;
}

function* textOf({ inventory, marksOf, shown }: Rows, by: ContextBy): Generator<string> {
  if (inventory.calls.length === 0) yield 'no call in this recording carried context (no LLM request, no upload)';
  else if (by === 'kind') for (const row of byKind(inventory)) yield* kindText(row);
  else if (by === 'call') for (const row of byCall(inventory)) yield* callText(row, shown);
  else yield* filesText(byFile(inventory), marksOf, shown);
  yield* leftText(inventory);
}

function* filesText(rows: readonly FileRow[], marksOf: MarksOf, shown: Shown): Generator<string> {
  if (rows.length === 0) yield 'no file left the machine by name in this recording (see --by kind for other text)';
  for (const row of rows) yield* fileText(row, marksOf(row.path), shown);
}

function* jsonOf({ inventory, marksOf, shown }: Rows, by: ContextBy): Generator<unknown> {
  if (by === 'kind') yield* byKind(inventory) satisfies KindRow[];
  else if (by === 'call') for (const row of byCall(inventory)) yield callJson(row, shown);
  else for (const row of byFile(inventory)) yield fileJson(row, marksOf(row.path), shown);
}

export const fileJson = (row: FileRow, marks: WorkspaceMarks | undefined, shown: Shown) => ({
  ...row,
  path: shown.text(row.path),
  first: callIdText(row.first),
  last: callIdText(row.last),
  ...(marks === undefined ? {} : { workspace: marks }),
});

function callJson({ call, items, ...sums }: CallRow, shown: Shown) {
  const { items: _, startNs, ...facts } = call;
  return {
    ...facts,
    id: callIdText(call.id),
    tsNs: String(startNs),
    ...sums,
    items: items.map(({ item, isNew }) => ({
      ...item,
      ...(item.path === undefined ? {} : { path: shown.text(item.path) }),
      ...(item.detail === undefined ? {} : { detail: shown.text(item.detail) }),
      first: callIdText(item.first),
      last: callIdText(item.last),
      isNew,
    })),
  };
}
