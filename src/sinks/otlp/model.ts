// OTLP as its JSON encoding has it (opentelemetry-proto, "JSON Protobuf Encoding"): ids in hexadecimal, 64-bit numbers as
// decimal text. The binary encoding is made from the same values.

export interface AnyValue {
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  readonly intValue?: string;
  readonly doubleValue?: number;
  readonly arrayValue?: { readonly values: readonly AnyValue[] };
}

export interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}

/** SpanKind of the specification. */
export const SPAN_KIND = { internal: 1, client: 3 } as const;
/** StatusCode: error. */
export const STATUS_ERROR = 2;
/** AggregationTemporality: cumulative. */
export const CUMULATIVE = 2;

export interface Span {
  /** 32 and 16 hexadecimal digits. */
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly KeyValue[];
  readonly status?: { readonly message?: string; readonly code: number };
}

export interface DataPoint {
  readonly startTimeUnixNano: string;
  readonly timeUnixNano: string;
  readonly count: string;
  readonly sum: number;
  readonly bucketCounts: readonly string[];
  readonly explicitBounds: readonly number[];
  readonly attributes: readonly KeyValue[];
}

export interface Metric {
  readonly name: string;
  readonly description: string;
  readonly unit: string;
  readonly histogram: { readonly dataPoints: readonly DataPoint[]; readonly aggregationTemporality: number };
}

export interface Scope {
  readonly name: string;
  readonly version: string;
}

export interface TraceRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly { readonly scope: Scope; readonly spans: readonly Span[] }[];
  }[];
}

export interface MetricsRequest {
  readonly resourceMetrics: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeMetrics: readonly { readonly scope: Scope; readonly metrics: readonly Metric[] }[];
  }[];
}

/** Longest value, as the editor's own exporter has it. */
export const MAX_TEXT_CHARS = 64_000;

const textValue = (text: string): string =>
  text.length <= MAX_TEXT_CHARS ? text : `${text.slice(0, MAX_TEXT_CHARS)}…[cut, ${text.length} characters]`;

function anyValueOf(value: string | number | boolean | readonly string[]): AnyValue {
  if (typeof value === 'string') return { stringValue: textValue(value) };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { arrayValue: { values: value.map((item) => ({ stringValue: textValue(item) })) } };
}

export type Attributes = Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>;

/** Attributes in their order; those that are not known are left out. */
export const keyValues = (attributes: Attributes): KeyValue[] =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined || value === null ? [] : [{ key, value: anyValueOf(value) }],
  );
