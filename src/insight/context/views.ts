// The inventory as answers: by file, by kind, by call. Plain values; what a row means is in docs/context.md.

import type { CallId } from '../../model/index.ts';
import type { CarryingCall, Inventory, KnownItem } from './inventory.ts';
import { type LineRange, SOURCE_KINDS, type SourceKind } from './item.ts';
import { isAbsolute, isHidden, plainPath } from './path.ts';

/** What was sent by one mechanism. */
export interface MechanismRow {
  readonly kind: SourceKind;
  /** Calls that carried it. */
  readonly calls: number;
  /** Different contents. */
  readonly contents: number;
  /** Of one sending each. */
  readonly bytes: number;
  readonly tokens: number;
  /** All sendings together. */
  readonly sentBytes: number;
  readonly sentTokens: number;
}

export interface FileRow {
  readonly path: string;
  readonly languages: readonly string[];
  readonly hidden: boolean;
  readonly mechanisms: readonly MechanismRow[];
  /** Calls by host and by model. */
  readonly hosts: Readonly<Record<string, number>>;
  readonly models: Readonly<Record<string, number>>;
  readonly calls: number;
  readonly first: CallId;
  readonly last: CallId;
  readonly bytes: number;
  readonly tokens: number;
  readonly sentBytes: number;
  /** Lines that were sent, where the wire tells; ranges that touch are joined. */
  readonly lines: readonly LineRange[];
  /** True when only implicit mechanisms carried it, false when a person chose it, absent when the wire does not tell. */
  readonly implicit?: boolean;
}

/** Kinds whose path is no file. */
const NO_FILE: ReadonlySet<SourceKind> = new Set(['repository', 'web-page', 'workspace-tree', 'upload']);

const REFERENCES: ReadonlySet<SourceKind> = new Set(['reference', 'withheld-reference']);

/** Uploads name a file only when they are one. */
const isFileItem = (item: KnownItem): boolean =>
  item.path !== undefined &&
  (!NO_FILE.has(item.kind) || (item.kind === 'upload' && item.detail === 'file')) &&
  !/^https?:/.test(item.path) &&
  !(REFERENCES.has(item.kind) && /^github\.(repository|current-url|pull_request|redacted)/.test(item.detail ?? ''));

interface Group {
  readonly items: Set<KnownItem>;
  readonly calls: CarryingCall[];
  /** Calls by mechanism, and the last one counted. */
  readonly kinds: Map<SourceKind, { calls: number; last: CarryingCall }>;
}

/** The files that went out, those sent most often first. */
export function byFile(inventory: Inventory): FileRow[] {
  const roots = rootsOf(inventory.items);
  const groups = new Map<string, Group>();
  // By item, not by call: a file is sent again with every round.
  const groupOf = inventory.items.map((item): Group | undefined => {
    if (item.path === undefined || !isFileItem(item)) return undefined;
    const path = relative(plainPath(item.path), roots);
    const group = groups.get(path) ?? { items: new Set(), calls: [], kinds: new Map() };
    groups.set(path, group);
    return group;
  });
  for (const call of inventory.calls) {
    for (const number of call.items) {
      const [item, group] = [inventory.items[number - 1], groupOf[number - 1]];
      if (item !== undefined && group !== undefined) addToGroup(group, item, call);
    }
  }
  return [...groups].map(([path, group]) => fileRow(path, group)).sort(byCalls);
}

function addToGroup({ items, calls, kinds }: Group, item: KnownItem, call: CarryingCall): void {
  items.add(item);
  if (calls.at(-1) !== call) calls.push(call);
  const kind = kinds.get(item.kind);
  if (kind === undefined) kinds.set(item.kind, { calls: 1, last: call });
  else if (kind.last !== call) {
    kind.calls += 1;
    kind.last = call;
  }
}

const byCalls = (a: FileRow, b: FileRow): number =>
  b.calls - a.calls || b.sentBytes - a.sentBytes || (a.path < b.path ? -1 : 1);

/** Workspace folders: what stands before a relative path in an absolute form of the same path. */
function rootsOf(items: readonly KnownItem[]): string[] {
  const roots = new Set<string>();
  for (const { detail, path } of items) {
    const full = /^full path in the diff: (.*)$/.exec(detail ?? '')?.[1];
    if (full === undefined || path === undefined) continue;
    const absolute = plainPath(full);
    const own = plainPath(path);
    if (!isAbsolute(own) && absolute.endsWith(`/${own}`)) roots.add(absolute.slice(0, -own.length));
  }
  return [...roots];
}

const relative = (path: string, roots: readonly string[]): string => {
  const root = roots.find((one) => path.startsWith(one));
  return root === undefined ? path : path.slice(root.length);
};

function fileRow(path: string, { items, calls, kinds }: Group): FileRow {
  const list = [...items];
  const chosen = list.map((item) => item.implicit);
  const implicit = chosen.includes(false) ? false : chosen.includes(undefined) ? undefined : true;
  const mechanisms = [...kinds]
    .map(([kind, { calls: carrying }]) => mechanismRow(kind, ofKind(list, kind), carrying))
    .sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
  return {
    path,
    languages: [...new Set(list.flatMap(({ language }) => language ?? []))],
    hidden: isHidden(path),
    mechanisms,
    hosts: countBy(calls, ({ host }) => host ?? 'unknown'),
    models: countBy(calls, ({ model }) => model ?? 'none'),
    calls: calls.length,
    ...firstAndLast(calls),
    bytes: sum(list, ({ bytes }) => bytes),
    tokens: sum(list, ({ tokens }) => tokens),
    sentBytes: sum(mechanisms, ({ sentBytes }) => sentBytes),
    lines: joined(list.flatMap(({ lines }) => lines ?? [])),
    ...(implicit === undefined ? {} : { implicit }),
  };
}

const NO_ID: CallId = { connection: 0, exchange: 0 };

const firstAndLast = (calls: readonly CarryingCall[]): { readonly first: CallId; readonly last: CallId } => ({
  first: calls[0]?.id ?? NO_ID,
  last: calls.at(-1)?.id ?? NO_ID,
});

const ORDER = Object.keys(SOURCE_KINDS);

const ofKind = (items: readonly KnownItem[], kind: SourceKind): KnownItem[] =>
  items.filter((item) => item.kind === kind);

const mechanismRow = (kind: SourceKind, items: readonly KnownItem[], calls: number): MechanismRow => ({
  kind,
  calls,
  contents: items.length,
  bytes: sum(items, ({ bytes }) => bytes),
  tokens: sum(items, ({ tokens }) => tokens),
  sentBytes: sum(items, ({ bytes, sent }) => bytes * sent),
  sentTokens: sum(items, ({ tokens, sent }) => tokens * sent),
});

export interface KindRow extends MechanismRow {
  readonly label: string;
  readonly how: string;
  /** Different files among them. */
  readonly files: number;
}

/** What went out by mechanism, the largest first. */
export function byKind(inventory: Inventory): KindRow[] {
  const items = new Map<SourceKind, KnownItem[]>();
  const calls = new Map<SourceKind, number>();
  for (const item of inventory.items) push(items, item.kind, item);
  for (const call of inventory.calls) {
    const kinds = new Set<SourceKind>();
    for (const number of call.items) {
      const item = inventory.items[number - 1];
      if (item !== undefined) kinds.add(item.kind);
    }
    for (const kind of kinds) calls.set(kind, (calls.get(kind) ?? 0) + 1);
  }
  return [...items]
    .map(([kind, list]) => ({
      ...mechanismRow(kind, list, calls.get(kind) ?? 0),
      label: SOURCE_KINDS[kind].label,
      how: SOURCE_KINDS[kind].how,
      files: new Set(list.flatMap((item) => (isFileItem(item) ? plainPath(item.path ?? '') : []))).size,
    }))
    .sort((a, b) => b.sentBytes - a.sentBytes);
}

/** One item in one call. */
export interface CallItemRow {
  readonly item: KnownItem;
  /** True when this call was the first that sent it. */
  readonly isNew: boolean;
}

export interface CallRow {
  readonly call: CarryingCall;
  readonly items: readonly CallItemRow[];
  readonly bytes: number;
  readonly tokens: number;
  readonly newBytes: number;
}

export function* byCall(inventory: Inventory): Generator<CallRow> {
  for (const call of inventory.calls) {
    const items = [...call.items].flatMap((number): CallItemRow[] => {
      const item = inventory.items[number - 1];
      return item === undefined ? [] : [{ item, isNew: item.first === call.id }];
    });
    yield {
      call,
      items,
      bytes: sum(items, ({ item }) => item.bytes),
      tokens: sum(items, ({ item }) => item.tokens),
      newBytes: sum(items, ({ item, isNew }) => (isNew ? item.bytes : 0)),
    };
  }
}

/** Ranges in order, those that touch or overlap as one. */
export function joined(ranges: readonly LineRange[]): LineRange[] {
  const result: { from: number; to: number }[] = [];
  for (const { from, to } of [...ranges].sort((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last !== undefined && from <= last.to + 1) last.to = Math.max(last.to, to);
    else result.push({ from, to });
  }
  return result;
}

const sum = <T>(list: readonly T[], of: (entry: T) => number): number =>
  list.reduce((total, entry) => total + of(entry), 0);

function countBy<T>(list: readonly T[], name: (entry: T) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const entry of list) counts[name(entry)] = (counts[name(entry)] ?? 0) + 1;
  return counts;
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
