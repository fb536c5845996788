// The context inventory for people: a block per file, kind or call.

import {
  type CallRow,
  type FileRow,
  type Inventory,
  type KindRow,
  type LineRange,
  SOURCE_KINDS,
} from '../../insight/index.ts';
import { bytes, counted, exact } from '../../sinks/index.ts';
import { callIdText } from '../call-events.ts';
import type { Shown } from '../shown.ts';
import type { WorkspaceMarks } from './workspace.ts';

/** Line ranges of one file that are listed. */
const MAX_RANGES = 8;

const tokensText = (tokens: number): string => `~${counted(tokens, 'token')}`;

export function* fileText(row: FileRow, marks: WorkspaceMarks | undefined, shown: Shown): Generator<string> {
  const notes = [...(row.hidden ? ['hidden'] : []), ...markNotes(marks)];
  yield `${shown.line(row.path)}${notes.length === 0 ? '' : `   [${notes.join(', ')}]`}`;
  const models = Object.keys(row.models).map((model) => shown.line(model));
  const hosts = Object.keys(row.hosts).map((host) => shown.line(host));
  const when = row.calls === 1 ? callIdText(row.first) : `${callIdText(row.first)} to ${callIdText(row.last)}`;
  yield `  ${counted(row.calls, 'call')} (${when}) to ${hosts.join(', ')}; model ${models.join(', ')}`;
  if (row.lines.length > 0) yield `  lines ${rangesText(row.lines)}`;
  for (const { kind, calls, contents, bytes: size, tokens, sentBytes } of row.mechanisms) {
    const { label, how } = SOURCE_KINDS[kind];
    const versions = contents === 1 ? '' : ` in ${counted(contents, 'different text')}`;
    const sent = sentBytes === size ? '' : `, ${bytes(sentBytes)} with repeats`;
    yield `  - ${label}, ${counted(calls, 'call')}${versions}: ${bytes(size)}, ${tokensText(tokens)}${sent}`;
    yield `      ${how}`;
  }
  yield '';
}

function markNotes(marks: WorkspaceMarks | undefined): string[] {
  if (marks === undefined) return [];
  if (marks.inside === undefined) return ['outside the workspace'];
  return [
    ...(marks.exists ? [] : ['not in the workspace now']),
    ...(marks.gitIgnored ? ['git-ignored'] : []),
    ...(marks.copilotIgnored ? ['in .copilotignore'] : []),
    ...(marks.excludedBy === undefined ? [] : [`excluded by ${marks.excludedBy}`]),
  ];
}

const rangeText = ({ from, to }: LineRange): string => (from === to ? String(from) : `${from}-${to}`);

function rangesText(ranges: readonly LineRange[]): string {
  const listed = ranges.slice(0, MAX_RANGES).map(rangeText).join(', ');
  return ranges.length > MAX_RANGES ? `${listed} and ${counted(ranges.length - MAX_RANGES, 'more range')}` : listed;
}

export function* kindText(row: KindRow): Generator<string> {
  const files = row.files === 0 ? '' : `, ${counted(row.files, 'file')}`;
  yield `${row.label}: ${counted(row.calls, 'call')}, ${counted(row.contents, 'different text')}${files}`;
  yield `  ${bytes(row.bytes)}, ${tokensText(row.tokens)}; with repeats ${bytes(row.sentBytes)}, ${tokensText(row.sentTokens)}`;
  yield `  ${row.how}`;
  yield '';
}

export function* callText({ call, items, ...sums }: CallRow, shown: Shown): Generator<string> {
  const name = call.kind ?? call.class;
  const reported = call.usage.input === undefined ? '' : `, ${exact(call.usage.input)} reported`;
  yield `${callIdText(call.id)}  ${shown.line(name)}  ${shown.line(call.host ?? '?')}  ${shown.line(call.model ?? '-')}`;
  yield `  ${counted(items.length, 'item')}, ${bytes(sums.bytes)} (${bytes(sums.newBytes)} for the first time), ${tokensText(sums.tokens)}${reported}`;
  for (const { item, isNew } of items) {
    const path = item.path === undefined ? '' : ` ${shown.line(item.path)}`;
    const lines = item.lines === undefined ? '' : `:${rangeText(item.lines)}`;
    const detail = item.detail === undefined ? '' : ` (${shown.line(item.detail)})`;
    const since = isNew ? 'new' : `since ${callIdText(item.first)}`;
    const chosen = item.implicit === false ? ', chosen' : '';
    yield `  ${SOURCE_KINDS[item.kind].label}${path}${lines}${detail}: ${bytes(item.bytes)}, ${tokensText(item.tokens)}, ${since}${chosen}`;
  }
  yield '';
}

export function* leftText({ left, calls }: Inventory): Generator<string> {
  if (left.calls > 0) yield `${counted(left.calls, 'further call')} not listed: the inventory is full`;
  if (left.items > 0) yield `${counted(left.items, 'further item')} not listed: the inventory is full`;
  if (calls.some((call) => call.model !== null && !call.ownTokenizer)) {
    yield 'Tokens are estimates; for models whose tokenizer is not public they are counted with that of GPT-4o.';
  } else if (calls.length > 0) yield 'Tokens are estimates: providers add some around messages and tools.';
}
