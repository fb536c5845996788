// Metrics of a live session for Prometheus.

import { randomBytes } from 'node:crypto';
import type { OpenSink } from '../sink.ts';
import { serveMetrics } from './server.ts';

export interface MetricsSettings {
  readonly port: number;
  /** Undefined: one is made up. */
  readonly token: string | undefined;
}

export interface MetricsHost {
  /** Counts of the bus, asked for when somebody scrapes; null without one. */
  readonly bus: (() => Readonly<Record<string, number>>) | null;
}

export interface MetricsSink extends OpenSink {
  readonly url: string;
  readonly token: string;
  /** Newest snapshot of the kernel side's counters. */
  counters(counters: Readonly<Record<string, number>>): void;
}

const TOKEN_BYTES = 24;

/**
 * Loads what counting needs, which takes longer than most commands run. To be called before rights are dropped: afterwards
 * the program's own files may be out of reach.
 */
export const loadMetrics = () => import('./collect.ts');

/** Listens on 127.0.0.1. Throws E_METRICS_LISTEN. */
export async function openMetrics(settings: MetricsSettings, host: MetricsHost): Promise<MetricsSink> {
  const { MetricsCollector } = await loadMetrics();
  const collector = new MetricsCollector();
  const token = settings.token ?? randomBytes(TOKEN_BYTES).toString('base64url');
  const server = await serveMetrics(settings.port, token, async () => {
    if (host.bus !== null) collector.bus(host.bus());
    return { type: collector.registry.contentType, text: await collector.registry.metrics() };
  });
  return {
    url: server.url,
    token,
    accept: (event) => collector.accept(event),
    counters: (counters) => collector.counters(counters),
    flush: async () => {},
    close: () => server.close(),
  };
}
