// Durations, tokens and times to the first token as histograms, by the GenAI semantic conventions: names, units and bounds.

import type { CallEvent, LlmSummary } from '../../model/index.ts';
import { errorOf, operationOf, providerOf } from './chat-span.ts';
import { type Attributes, CUMULATIVE, type DataPoint, keyValues, type Metric } from './model.ts';

/** Bounds that the conventions ask for. */
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864];

/** Points of one metric: models × operations; a hostile peer that names new models must not cost memory without end. */
const MAX_POINTS = 1000;

class Distribution {
  readonly #bounds: readonly number[];
  readonly attributes: Attributes;
  readonly counts: number[];
  sum = 0;
  count = 0;

  constructor(bounds: readonly number[], attributes: Attributes) {
    this.#bounds = bounds;
    this.attributes = attributes;
    this.counts = Array(bounds.length + 1).fill(0);
  }

  add(value: number): void {
    const at = this.#bounds.findIndex((bound) => value <= bound);
    const bucket = at < 0 ? this.#bounds.length : at;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.sum += value;
    this.count += 1;
  }

  point(startTimeUnixNano: string, timeUnixNano: string): DataPoint {
    return {
      startTimeUnixNano,
      timeUnixNano,
      count: String(this.count),
      sum: this.sum,
      bucketCounts: this.counts.map(String),
      explicitBounds: this.#bounds,
      attributes: keyValues(this.attributes),
    };
  }
}

class Distributions {
  readonly #name: string;
  readonly #description: string;
  readonly #unit: string;
  readonly #bounds: readonly number[];
  readonly #points = new Map<string, Distribution>();

  constructor(name: string, description: string, unit: string, bounds: readonly number[]) {
    this.#name = name;
    this.#description = description;
    this.#unit = unit;
    this.#bounds = bounds;
  }

  add(value: number | null | undefined, attributes: Attributes): void {
    if (value === null || value === undefined) return;
    const key = JSON.stringify(attributes);
    const known = this.#points.get(key);
    if (known === undefined && this.#points.size >= MAX_POINTS) return;
    const point = known ?? new Distribution(this.#bounds, attributes);
    this.#points.set(key, point);
    point.add(value);
  }

  metric(fromNs: string, toNs: string): Metric[] {
    if (this.#points.size === 0) return [];
    const dataPoints = [...this.#points.values()].map((point) => point.point(fromNs, toNs));
    const histogram = { dataPoints, aggregationTemporality: CUMULATIVE };
    return [{ name: this.#name, description: this.#description, unit: this.#unit, histogram }];
  }
}

export class GenAiMetrics {
  readonly #duration = new Distributions('gen_ai.client.operation.duration', 'GenAI operation duration', 's', SECONDS);
  readonly #tokens = new Distributions('gen_ai.client.token.usage', 'Tokens used', '{token}', TOKENS);
  readonly #ttft = new Distributions('copilot_chat.time_to_first_token', 'Time to the first token', 's', SECONDS);
  #fromMs = Number.POSITIVE_INFINITY;
  #toMs = 0;

  add(call: CallEvent, llm: LlmSummary): void {
    const startMs = Date.parse(call.time);
    this.#fromMs = Math.min(this.#fromMs, startMs);
    this.#toMs = Math.max(this.#toMs, startMs + call.timing.durationMs);
    const common: Attributes = {
      'gen_ai.operation.name': operationOf(call),
      'gen_ai.provider.name': providerOf(call.host),
      'gen_ai.request.model': llm.request?.model,
      'gen_ai.response.model': llm.answeredBy ?? llm.model,
      'server.address': call.host,
    };
    this.#duration.add(call.timing.durationMs / 1000, { ...common, 'error.type': errorOf(call) });
    this.#tokens.add(llm.usage.input, { ...common, 'gen_ai.token.type': 'input' });
    this.#tokens.add(llm.usage.output, { ...common, 'gen_ai.token.type': 'output' });
    this.#ttft.add(call.timing.ttftMs === null ? null : call.timing.ttftMs / 1000, common);
  }

  metrics(): Metric[] {
    const nanos = (ms: number): string => String(BigInt(Math.round(ms)) * 1_000_000n);
    if (this.#toMs === 0) return [];
    const [from, to] = [nanos(this.#fromMs), nanos(this.#toMs)];
    return [this.#duration, this.#tokens, this.#ttft].flatMap((distributions) => distributions.metric(from, to));
  }
}
