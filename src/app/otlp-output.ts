// The collector as one more sink of a live session. Turns are found among all calls, whatever the filter lets through: a
// call that is left out does not change where the others belong.

import { LiveOtlp, openOtlpTransport } from '../sinks/index.ts';
import type { FanoutSink } from './fanout.ts';
import { LiveTurns } from './live-turns.ts';
import type { OutputSettings } from './types.ts';
import { toolVersion } from './version.ts';

/** As often as the batches of OpenTelemetry's own exporters. */
const TICK_MS = 5000;

/** Throws E_OTLP_ADDRESS when nothing can be sent there, before anything is attached. */
export const checkOtlpAddress = (url: string): void => void openOtlpTransport(url, process.env);

/** Resolves when `work` has, or at the deadline. */
async function within(deadlineMs: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, deadlineMs);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

/** Throws E_OTLP_ADDRESS; a collector that is away is no error. */
export function openOtlpOutput({ otlp, log }: OutputSettings): readonly FanoutSink[] {
  if (otlp === undefined) return [];
  const stop = new AbortController();
  const turns = new LiveTurns();
  const live = new LiveOtlp({
    transport: openOtlpTransport(otlp.url, process.env, stop.signal),
    target: otlp.url,
    toolVersion: toolVersion(),
    content: otlp.content,
    turns: (isEnd) => turns.news(performance.now(), isEnd),
    info: (text) => log.info(text),
    warn: (text) => log.warn(text),
  });
  const timer = setInterval(() => void live.tick(performance.now()), TICK_MS);
  timer.unref();
  return [
    {
      name: 'OTLP',
      fact: (call) => turns.accept(call),
      accept: (event) => live.accept(event),
      backlogBytes: () => 0,
      drained: async () => {},
      lostEvents: () => live.lost,
      flush: async (deadlineMs) => {
        clearInterval(timer);
        await within(deadlineMs, live.end(performance.now()));
      },
      close: async () => {
        stop.abort();
        live.close();
      },
    },
  ];
}
