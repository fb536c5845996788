// Spans and metrics as the requests that carry them: who speaks, and how much at a time.

import { keyValues, type Metric, type MetricsRequest, type Span, type TraceRequest } from './model.ts';

/** Spans in one request: a few hundred kilobytes without content. */
const MAX_SPANS = 256;
/**
 * Characters in one request: collectors take 4 MiB over gRPC by default, and a character is up to 3 bytes. One span may
 * be larger, up to some values of `MAX_TEXT_CHARS`.
 */
const MAX_CHARS = 1024 * 1024;

/** Characters of a span's attributes, about what it costs in memory and on the way. */
export const charsOf = ({ attributes }: Pick<Span, 'attributes'>): number =>
  attributes.reduce((sum, { value }) => sum + (value.stringValue?.length ?? 8), 0);

const RESOURCE = { attributes: keyValues({ 'service.name': 'copilot-chat', 'telemetry.sdk.name': 'tracer' }) };

export const traceRequest = (spans: readonly Span[], version: string): TraceRequest => ({
  resourceSpans: [{ resource: RESOURCE, scopeSpans: [{ scope: { name: 'tracer', version }, spans }] }],
});

export const metricsRequest = (metrics: readonly Metric[], version: string): MetricsRequest => ({
  resourceMetrics: [{ resource: RESOURCE, scopeMetrics: [{ scope: { name: 'tracer', version }, metrics }] }],
});

/** How many of the first spans go into one request; at least one, of a list that has one. */
export function batchLength(spans: readonly Span[]): number {
  let chars = 0;
  for (const [at, span] of spans.entries()) {
    chars += charsOf(span);
    if (at === MAX_SPANS || (at > 0 && chars > MAX_CHARS)) return at;
  }
  return spans.length;
}
