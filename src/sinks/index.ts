// Door of the sinks room: the table of sinks and their contract.
import { ndjson } from './ndjson.ts';
import type { Sink } from './sink.ts';
import { terminal } from './terminal/terminal.ts';

export { curlCommand } from './curl/command.ts';
export type { ExportFile, ExportFormat, ExportHost, OpenExport, ToolRun, TurnFacts } from './export.ts';
export { EXPORTS } from './exports.ts';

/** All sinks. The order is that of the help text; the row without a flag is used when no other is selected. */
export const SINKS: readonly Sink[] = [terminal, ndjson];

export { loadMetrics, type MetricsSink, openMetrics } from './metrics/metrics.ts';
export type { InboundCounts } from './nats/inbound.ts';
export type { Encoding as NatsEncoding } from './nats/message.ts';
export { type NatsCounts, type NatsSink, openNats } from './nats/nats.ts';
export { BusReader, type ReaderHost, type ReaderSettings, type ReadFrom, type Received } from './nats/reader.ts';
export { parseServerUrl } from './nats/server-address.ts';
export type { NatsServerSettings, NatsSinkSettings, StreamSettings } from './nats/settings.ts';
export { escapeToken } from './nats/subjects.ts';
export { toLine } from './ndjson.ts';
export { LiveOtlp, type LiveTurn } from './otlp/live.ts';
export { openTransport as openOtlpTransport } from './otlp/transport.ts';
export { safeJson } from './safe-json.ts';
export type { OpenSink, OptionSpec, Sink, SinkHost, SinkOptions } from './sink.ts';
export { type Paint, painter, type Tone } from './terminal/paint.ts';
export { bytes, counted, duration, exact, timeOfDay } from './terminal/quantity.ts';
export { visible, visibleLines } from './terminal/visible.ts';
export { inCells, shorten, widthOf } from './terminal/width.ts';
