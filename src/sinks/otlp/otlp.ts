// OpenTelemetry: calls of models as spans under their turns, and histograms, sent when a recording was read. Which turn a
// call belongs to is known at the end only, so what a span says is kept until then; content within a bound.

import type { ExportFormat } from '../export.ts';
import { GenAiMetrics } from './metrics.ts';
import { keyValues, type Span } from './model.ts';
import { type LooseSpan, SpanTree } from './spans.ts';
import { TlsFacts } from './tls.ts';
import { openTransport } from './transport.ts';

/** Spans in one request: a few hundred kilobytes without content. */
const BATCH_SPANS = 256;
/** Characters in attributes of spans that are kept: with content, 2000 calls of the greatest length. */
const MAX_KEPT_CHARS = 256 * 1024 * 1024;

const charsOf = ({ span }: LooseSpan): number =>
  span.attributes.reduce((sum, { value }) => sum + (value.stringValue?.length ?? 8), 0);

export const otlp: ExportFormat = {
  name: 'otlp',
  flag: 'otlp',
  argument: 'url',
  description: 'spans and metrics to an OpenTelemetry collector: http://host:4318, grpc://host:4317',
  isRaw: false,
  async open(target, host) {
    const transport = openTransport(target, process.env);
    const [tree, bare] = [new SpanTree(host.content), new SpanTree(false)];
    const metrics = new GenAiMetrics();
    const scope = { name: 'tracer', version: host.toolVersion };
    const resource = { attributes: keyValues({ 'service.name': 'copilot-chat', 'telemetry.sdk.name': 'tracer' }) };
    const connections = new TlsFacts();
    const loose: LooseSpan[] = [];
    const placed: Span[] = [];
    let keptChars = 0;
    return {
      event(event) {
        if (event.type === 'connection') connections.learn(event);
      },
      call(call) {
        if (call.llm === undefined) return;
        metrics.add(call, call.llm);
        // Both trees learn the session's clock from the first call, so that their ids agree.
        const tls = connections.ofCall(call.id);
        const [full, short] = [tree.loose(call, tls), bare.loose(call, tls)];
        const span = keptChars < MAX_KEPT_CHARS ? full : short;
        if (span === null) return;
        keptChars += charsOf(span);
        loose.push(span);
      },
      turns(turns) {
        placed.push(...tree.place(loose, turns));
      },
      async end() {
        if (keptChars >= MAX_KEPT_CHARS) host.warn('content of later calls was left out: there is too much of it');
        for (let at = 0; at < placed.length; at += BATCH_SPANS) {
          const spans = placed.slice(at, at + BATCH_SPANS);
          await transport.traces({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }] });
        }
        const list = metrics.metrics();
        if (list.length > 0)
          await transport.metrics({ resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics: list }] }] });
      },
    };
  },
};
