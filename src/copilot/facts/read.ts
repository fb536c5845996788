// Reading untrusted JSON into facts: every list, text and record is bounded, and what is not of the expected type is left out.

import { isObject, type JsonObject, listOf, objectOf, readJson } from '../../dialects/index.ts';

/** What the facts of a call are read from: its bodies as text, as far as kept. */
export interface FactsInput {
  /** Path with query, as sent. */
  readonly path: string | null;
  readonly request: string;
  readonly response: string;
}

/** Longest name, id or date. */
const MAX_NAME_CHARS = 256;
/** Longest list: a service lists some tens of models, an organisation some hundreds of globs. */
export const MAX_LIST = 500;

export const jsonOf = (text: string): JsonObject => objectOf(readJson(text).value);

export const nameOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, MAX_NAME_CHARS) : undefined;

export const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

export const flagOf = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

export const namesOf = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value)
    ? value.slice(0, MAX_LIST).flatMap((item) => nameOf(item) ?? nameOf(objectOf(item)['id']) ?? [])
    : undefined;

/** Entries of an object whose values `read` understands, under their own names. */
export function recordOf<T>(
  value: unknown,
  read: (value: unknown) => T | undefined,
): Readonly<Record<string, T>> | undefined {
  if (!isObject(value)) return undefined;
  const entries: [string, T][] = [];
  for (const [name, item] of Object.entries(value).slice(0, MAX_LIST)) {
    const found = read(item);
    if (found !== undefined) entries.push([name.slice(0, MAX_NAME_CHARS), found]);
  }
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

export const objectsOf = (value: unknown): JsonObject[] => listOf(value).slice(0, MAX_LIST).map(objectOf);

/** Without the fields that are undefined. */
export function present<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>;
}

/** Fields that may be undefined become optional ones. */
export type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};
