// Header fields to heads (RFC 9113 §8.3): pseudo-fields by name, ordinary fields in order, unknown ones listed as such.
// Also tells what a block is when the connection was joined late, and which names follow by necessity. Pure functions.

import {
  type HeaderField,
  headerValue,
  type RequestHead,
  type ResponseHead,
  type UnknownField,
} from '../../model/index.ts';
import { type Field, UnknownRef } from './hpack/index.ts';

const REQUEST_PSEUDO = new Set([':method', ':scheme', ':authority', ':path', ':protocol']);
/** §8.3.1: every request but CONNECT has exactly one of each. */
const REQUIRED_PSEUDO = [':method', ':scheme', ':path'];

/** A request head of which nothing is known. */
export const UNKNOWN_REQUEST: RequestHead = {
  httpVersion: '2',
  method: null,
  scheme: null,
  authority: null,
  path: null,
  headers: [],
  unknown: [],
};

export const UNKNOWN_RESPONSE: ResponseHead = { httpVersion: '2', status: null, headers: [], unknown: [] };

const isUnknown = (field: Field | undefined): field is UnknownRef => field instanceof UnknownRef;
const nameOf = (field: Field): string | null => (isUnknown(field) ? field.name : field[0]);

interface Sorted {
  readonly pseudo: ReadonlyMap<string, string>;
  readonly headers: HeaderField[];
  readonly unknown: UnknownField[];
}

function sortFields(fields: readonly Field[]): Sorted {
  const pseudo = new Map<string, string>();
  const headers: HeaderField[] = [];
  const unknown: UnknownField[] = [];
  for (let position = 0; position < fields.length; position++) {
    const field = knownField(fields[position] as Field);
    if (isUnknown(field)) unknown.push(unknownField(field, position));
    else if (field[0].startsWith(':')) pseudo.set(field[0], field[1]);
    else headers.push(field);
  }
  return { pseudo, headers, unknown };
}

/** A reference whose name was learned and whose value was literal is a field like any other. */
function knownField(field: Field): Field {
  if (!isUnknown(field)) return field;
  const { name, value } = field;
  return name !== null && value !== null ? [name, value] : field;
}

function unknownField(ref: UnknownRef, position: number): UnknownField {
  const { index, name, value } = ref;
  return { index, position, ...(name === null ? {} : { name }), ...(value === null ? {} : { value }) };
}

export function requestHead(fields: readonly Field[]): RequestHead {
  const { pseudo, headers, unknown } = sortFields(fields);
  const protocol = pseudo.get(':protocol');
  return {
    httpVersion: '2',
    method: pseudo.get(':method') ?? null,
    scheme: pseudo.get(':scheme') ?? null,
    authority: pseudo.get(':authority') ?? headerValue(headers, 'host') ?? null,
    path: pseudo.get(':path') ?? null,
    ...(protocol === undefined ? {} : { protocol }),
    headers,
    unknown,
  };
}

export function responseHead(fields: readonly Field[]): ResponseHead {
  const { pseudo, headers, unknown } = sortFields(fields);
  const status = pseudo.get(':status') ?? '';
  return { httpVersion: '2', status: /^[1-9]\d\d$/.test(status) ? Number(status) : null, headers, unknown };
}

/** Trailers have no pseudo-fields (§8.1). */
export function trailerFields(fields: readonly Field[]): { headers: HeaderField[]; unknown?: UnknownField[] } {
  const { headers, unknown } = sortFields(fields);
  return unknown.length > 0 ? { headers, unknown } : { headers };
}

/** Which head a block certainly is, by its known pseudo-fields. */
export function headKind(fields: readonly Field[]): 'request' | 'response' | undefined {
  for (const field of fields) {
    const name = nameOf(field);
    if (name === ':status') return 'response';
    if (name !== null && REQUEST_PSEUDO.has(name)) return 'request';
  }
  return undefined;
}

/** True when the block can be a head: its first `pseudoFields` are pseudo-fields or not known (§8.3: they come first). */
export function mayBeHead(fields: readonly Field[], pseudoFields: number): boolean {
  if (fields.length < pseudoFields) return false;
  return fields.slice(0, pseudoFields).every((field) => nameOf(field)?.startsWith(':') ?? true);
}

/** Learns what a well-formed response head implies: its first field is `:status` (§8.3.2). True if it learned a name. */
export function learnFromResponse(fields: readonly Field[]): boolean {
  const first = fields[0];
  if (!isUnknown(first) || first.name !== null || headKind(fields) === 'response') return false;
  first.learnName(':status');
  return true;
}

/**
 * Learns what a well-formed request head implies: when exactly one required pseudo-field is missing and only one field
 * can be it, that field has its name (§8.3.1). True if it learned a name.
 */
export function learnFromRequest(fields: readonly Field[]): boolean {
  const names = fields.map(nameOf);
  const missing = REQUIRED_PSEUDO.filter((name) => !names.includes(name));
  if (missing.length !== 1 || isPlainConnect(fields)) return false;
  const field = soleCandidate(fields, names, names.includes(':authority'));
  if (field === undefined) return false;
  field.learnName(missing[0] as string);
  return true;
}

const isPlainConnect = (fields: readonly Field[]): boolean =>
  fields.some((field) => !isUnknown(field) && field[0] === ':method' && field[1] === 'CONNECT');

/**
 * The one unknown field that must be the missing pseudo-field. Candidates are unknown fields among the pseudo-fields and
 * the run of unknown fields right after them. All optional names being taken, the first of that run is the one.
 */
function soleCandidate(
  fields: readonly Field[],
  names: (string | null)[],
  hasAuthority: boolean,
): UnknownRef | undefined {
  const last = names.findLastIndex((name) => name?.startsWith(':'));
  const inside = fields.slice(0, last + 1).filter((field) => nameOf(field) === null);
  const afterRun = names.findIndex((name, at) => at > last && name !== null);
  const run = fields.slice(last + 1, afterRun < 0 ? fields.length : afterRun);
  const [only] = inside;
  if (inside.length > 1) return undefined;
  if (only !== undefined) return isUnknown(only) && (run.length === 0 || hasAuthority) ? only : undefined;
  const [first] = run;
  return isUnknown(first) && (run.length === 1 || hasAuthority) ? first : undefined;
}
