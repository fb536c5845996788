// Looking into JSON of unknown shape. Every function takes anything and answers with a value of the asked type or
// nothing; none throws.

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const EMPTY: JsonObject = {};

/** The value if it is an object, else an empty one. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : EMPTY);

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A non-empty string, else undefined. */
export const textOrNone = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export const numberOrNone = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** An index of a choice, block or item: a whole number from 0 that is small enough to be one. */
export const indexOrNone = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 1_000_000 ? value : undefined;

/** A string as it is, anything else as JSON text: tool arguments come both ways. */
export function jsonText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : JSON.stringify(value);
}

/** The entries of an object except the named ones. */
export function otherKeys(value: JsonObject, known: ReadonlySet<string>): Record<string, unknown> {
  const rest: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(value)) {
    if (known.has(key)) continue;
    Object.defineProperty(rest, key, { value: entry, enumerable: true, writable: true, configurable: true });
  }
  return rest;
}
