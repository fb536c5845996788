// OpenTelemetry: calls of models as spans under their turns, and histograms, sent when a recording was read. Which turn a
// call belongs to is known at the end only, so what a span says is kept until then; content within a bound.

import { TracerError } from '../../errors.ts';
import type { ExportFormat } from '../export.ts';
import { GenAiMetrics } from './metrics.ts';
import type { Span } from './model.ts';
import type { Refusal } from './refusal.ts';
import { batchLength, charsOf, metricsRequest, traceRequest } from './request.ts';
import { type LooseSpan, SpanTree } from './spans.ts';
import { TlsFacts } from './tls.ts';
import { openTransport } from './transport.ts';

/** Characters in attributes of spans that are kept: with content, 2000 calls of the greatest length. */
const MAX_KEPT_CHARS = 256 * 1024 * 1024;

/** Throws E_EXPORT_REFUSED. */
async function taken(target: string, answer: Promise<Refusal | undefined>): Promise<void> {
  const refusal = await answer;
  if (refusal === undefined) return;
  throw new TracerError('E_EXPORT_REFUSED', { target, reason: refusal.reason }, { cause: refusal.cause });
}

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
        keptChars += charsOf(span.span);
        loose.push(span);
      },
      turns(turns) {
        placed.push(...tree.place(loose, turns));
      },
      async end() {
        if (keptChars >= MAX_KEPT_CHARS) host.warn('content of later calls was left out: there is too much of it');
        while (placed.length > 0) {
          const spans = placed.splice(0, batchLength(placed));
          await taken(target, transport.traces(traceRequest(spans, host.toolVersion)));
        }
        const list = metrics.metrics();
        if (list.length > 0) await taken(target, transport.metrics(metricsRequest(list, host.toolVersion)));
      },
    };
  },
};
