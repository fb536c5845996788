// OTLP values to bytes: JSON as they are, or protobuf.

import protobuf from 'protobufjs/minimal.js';
import type { AnyValue, DataPoint, KeyValue, MetricsRequest, Span, TraceRequest } from './model.ts';
import { tracer } from './otlp.gen.js';

type Long64 = NonNullable<tracer.otlp.Span.$Shape['startTimeUnixNano']>;

const LOW_32 = 0xffffffffn;

/** protobufjs wants its own 64-bit class, which its types and the generated ones name differently. */
const long = (text: string, isUnsigned = true): Long64 => {
  const value = BigInt(text);
  const high = Number(BigInt.asIntN(32, value >> 32n));
  return new protobuf.util.Long(Number(value & LOW_32) | 0, high, isUnsigned) as Long64;
};

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));

const anyValue = ({ intValue, arrayValue, ...rest }: AnyValue): tracer.otlp.AnyValue.$Properties => ({
  ...rest,
  ...(intValue !== undefined && { intValue: long(intValue, false) }),
  ...(arrayValue && { arrayValue: { values: arrayValue.values.map(anyValue) } }),
});

const attributes = (list: readonly KeyValue[]): tracer.otlp.KeyValue.$Properties[] =>
  list.map(({ key, value }) => ({ key, value: anyValue(value) }));

const span = ({ traceId, spanId, parentSpanId, startTimeUnixNano, endTimeUnixNano, ...rest }: Span) => ({
  ...rest,
  traceId: bytesOf(traceId),
  spanId: bytesOf(spanId),
  ...(parentSpanId !== undefined && { parentSpanId: bytesOf(parentSpanId) }),
  startTimeUnixNano: long(startTimeUnixNano),
  endTimeUnixNano: long(endTimeUnixNano),
  attributes: attributes(rest.attributes),
});

const dataPoint = ({ startTimeUnixNano, timeUnixNano, count, bucketCounts, ...rest }: DataPoint) => ({
  ...rest,
  startTimeUnixNano: long(startTimeUnixNano),
  timeUnixNano: long(timeUnixNano),
  count: long(count),
  bucketCounts: bucketCounts.map((bucket) => long(bucket)),
  explicitBounds: [...rest.explicitBounds],
  attributes: attributes(rest.attributes),
});

export const encodeTraces = ({ resourceSpans }: TraceRequest): Uint8Array =>
  tracer.otlp.ExportTraceServiceRequest.encode({
    resourceSpans: resourceSpans.map(({ resource, scopeSpans }) => ({
      resource: { attributes: attributes(resource.attributes) },
      scopeSpans: scopeSpans.map(({ scope, spans }) => ({ scope, spans: spans.map(span) })),
    })),
  }).finish();

export const encodeMetrics = ({ resourceMetrics }: MetricsRequest): Uint8Array =>
  tracer.otlp.ExportMetricsServiceRequest.encode({
    resourceMetrics: resourceMetrics.map(({ resource, scopeMetrics }) => ({
      resource: { attributes: attributes(resource.attributes) },
      scopeMetrics: scopeMetrics.map(({ scope, metrics }) => ({
        scope,
        metrics: metrics.map(({ histogram, ...metric }) => ({
          ...metric,
          histogram: { ...histogram, dataPoints: histogram.dataPoints.map(dataPoint) },
        })),
      })),
    })),
  }).finish();
