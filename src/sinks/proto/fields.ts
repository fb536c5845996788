// How one member of a JSON event travels in a protobuf field. A value that its field cannot hold exactly (an empty optional
// list, a lone surrogate, a number of another kind) is refused by `encode`: the message then carries it as JSON instead.

/** What a generated message looks like from here. */
export type Fields = Record<string, unknown>;

/** The value cannot be held. */
export const REFUSED: unique symbol = Symbol('refused');

export interface FieldKind {
  /** Ending of the field's name in the schema: what holds JSON text says so. */
  readonly suffix: '' | 'Json';
  encode(value: unknown): unknown;
  /** `undefined`: the member is absent. `raw` is undefined when the field is. */
  decode(raw: unknown): unknown;
}

const scalar = (holds: (value: unknown) => boolean, toJson: (raw: unknown) => unknown = (raw) => raw): FieldKind => ({
  suffix: '',
  encode: (value) => (holds(value) ? value : REFUSED),
  decode: (raw) => (raw === undefined ? undefined : toJson(raw)),
});

/** UTF-8 has no lone surrogates, JSON text has. */
const isText = (value: unknown): value is string => typeof value === 'string' && !/\p{Surrogate}/u.test(value);

/** protobufjs hands 64-bit fields out as an object of two halves. */
function toNumber(raw: unknown): unknown {
  if (typeof raw !== 'object' || raw === null) return raw;
  const { high, low } = raw as { high: number; low: number };
  return (high >>> 0) * 2 ** 32 + (low >>> 0);
}

export const text: FieldKind = scalar(isText);
export const bool: FieldKind = scalar((value) => typeof value === 'boolean');
export const uint: FieldKind = scalar((value) => Number.isSafeInteger(value) && Number(value) >= 0, toNumber);
export const double: FieldKind = scalar((value) => typeof value === 'number' && Number.isFinite(value));

/** A member that is always there: null is an absent field. */
export const orNull = (kind: FieldKind): FieldKind => ({
  suffix: kind.suffix,
  encode: (value) => (value === null ? undefined : kind.encode(value)),
  decode: (raw) => (raw === undefined ? null : kind.decode(raw)),
});

/** Any JSON value, as text. */
export const json: FieldKind = {
  suffix: 'Json',
  encode: (value) => (value === undefined ? REFUSED : JSON.stringify(value)),
  decode: (raw) => (raw === undefined ? undefined : (JSON.parse(String(raw)) as unknown)),
};

const encodeAll = (kind: FieldKind, values: readonly unknown[]): unknown => {
  const encoded = values.map((value) => kind.encode(value));
  return encoded.includes(REFUSED) ? REFUSED : encoded;
};

/** A list that is always there: an empty one is an absent field. */
export const list = (kind: FieldKind): FieldKind => ({
  suffix: '',
  encode: (value) => (Array.isArray(value) ? encodeAll(kind, value) : REFUSED),
  decode: (raw) => (Array.isArray(raw) ? raw.map((item) => kind.decode(item)) : []),
});

/** A list that may be missing, which is not the same as empty. */
export const optionalList = (kind: FieldKind): FieldKind => ({
  suffix: '',
  encode: (value) => (Array.isArray(value) && value.length > 0 ? encodeAll(kind, value) : REFUSED),
  decode: (raw) => (Array.isArray(raw) && raw.length > 0 ? raw.map((item) => kind.decode(item)) : undefined),
});

/** An object of numbers that is always there. */
export const numbers: FieldKind = {
  suffix: '',
  encode: (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).every(([k, n]) => isText(k) && Number.isFinite(n))
      ? value
      : REFUSED,
  decode: (raw) => Object.fromEntries(Object.entries(raw ?? {})),
};

/** `[name, value]`. */
export const pair: FieldKind = {
  suffix: '',
  encode: (value) =>
    Array.isArray(value) && value.length === 2 && value.every(isText) ? { name: value[0], value: value[1] } : REFUSED,
  decode: (raw) => {
    const { name, value } = raw as { name?: unknown; value?: unknown };
    return [String(name ?? ''), String(value ?? '')];
  },
};

/** Members in the order in which they are written; those of a decoded message come in the same order. */
export type Schema = Readonly<Record<string, FieldKind>>;

/** Where members travel that the schema has no field for. */
const EXTRA = 'extraJson';

const fieldOf = (name: string, kind: FieldKind): string =>
  kind.suffix === '' || name === 'json' ? name : `${name}${kind.suffix}`;

/** False when a member is missing that always comes back from a message of this schema. */
export const isHeldBy = (schema: Schema, object: object): boolean =>
  Object.entries(schema).every(
    ([name, kind]) =>
      kind.decode(undefined) === undefined || (Object.hasOwn(object, name) && object[name as never] !== undefined),
  );

/** A JSON object that `isHeldBy` the schema as a message of it. */
export function toFields(schema: Schema, object: object): Fields {
  const fields: Fields = {};
  const extra: [string, unknown][] = [];
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue;
    const kind = Object.hasOwn(schema, name) ? schema[name] : undefined;
    const encoded = kind === undefined ? REFUSED : kind.encode(value);
    if (kind === undefined || encoded === REFUSED) extra.push([name, value]);
    else if (encoded !== undefined) fields[fieldOf(name, kind)] = encoded;
  }
  if (extra.length > 0) fields[EXTRA] = JSON.stringify(Object.fromEntries(extra));
  return fields;
}

/** The JSON object that a message of this schema stands for. Throws when a JSON text in it is none. */
export function fromFields(schema: Schema, fields: Fields): Record<string, unknown> {
  const own = (name: string): unknown => (Object.hasOwn(fields, name) ? fields[name] : undefined);
  const extra = Object.entries(JSON.parse(String(own(EXTRA) ?? '{}')) as object);
  const carried = new Set(extra.map(([name]) => name));
  const members = Object.entries(schema)
    .filter(([name]) => !carried.has(name))
    .map(([name, kind]) => [name, kind.decode(own(fieldOf(name, kind)))] as const)
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries([...members, ...extra]);
}

/** A message in a message. The schema is given late, so that schemas may refer to themselves. */
export const message = (schema: () => Schema): FieldKind => ({
  suffix: '',
  encode: (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && isHeldBy(schema(), value)
      ? toFields(schema(), value)
      : REFUSED,
  decode: (raw) => (raw === undefined || raw === null ? undefined : fromFields(schema(), raw as Fields)),
});
