// `tracer tail`: the events of a whole fleet as they come over the bus.

import { EXIT, type TracerError } from '../errors.ts';
import { BusReader, type ReaderSettings, type Received, type SinkHost } from '../sinks/index.ts';
import { countsText, hasGaps } from './bus-counts.ts';
import { failedOutput } from './failed-output.ts';
import { createFleetView, type FleetView } from './fleet-view.ts';
import { openTextSink } from './output.ts';
import { filterOf } from './selection.ts';
import type { OutputSettings, SessionResult } from './types.ts';
import { userName } from './user-name.ts';

export interface TailSettings extends OutputSettings {
  readonly source: ReaderSettings;
}

/** Text that may wait for a slow terminal before reading stops. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
const FLUSH_DEADLINE_MS = 5_000;

class Tail {
  readonly #settings: TailSettings;
  readonly #view: FleetView;
  readonly #ready: () => Promise<void>;
  readonly #accepts: (received: Received) => boolean;
  #broken = 0;

  constructor(settings: TailSettings, host: SinkHost, ready: () => Promise<void>) {
    const filter = settings.filter === undefined ? null : filterOf(settings.filter);
    this.#settings = settings;
    this.#view = createFleetView(settings.format, host, settings.verbose);
    this.#ready = ready;
    this.#accepts = ({ event, origin }) => filter?.accepts(event, origin) ?? true;
  }

  /** Events that the view could not show. */
  get broken(): number {
    return this.#broken;
  }

  async receive(received: Received): Promise<void> {
    const { event, origin } = received;
    try {
      if (this.#accepts(received)) await this.#view.accept(event, origin);
    } catch (error) {
      // Somebody else made this event: a member that is missing or of another type is theirs to mend.
      this.#broken += 1;
      this.#settings.log.debug(`cannot show event ${origin.session}:${origin.seq}: ${String(error)}`);
    }
    await this.#ready();
  }
}

/** Reads until the user stops it or the output takes no more. Throws what prevents it from starting. */
export async function tail(settings: TailSettings): Promise<SessionResult> {
  let reader: BusReader | null = null;
  let problem: TracerError | null = null;
  const text = openTextSink(settings, userName(), (error) => {
    // A closed pipe (`| head`) is the reader's way to say enough.
    if (error.code !== 'EPIPE') problem = failedOutput(settings.outputFile, error);
    reader?.stop();
  });
  const view = new Tail(settings, text.host, () => text.output.below(MAX_WAITING_BYTES));
  reader = await BusReader.open(settings.source, {
    receive: (received) => view.receive(received),
    warn: (warning) => settings.log.warn(`NATS: ${warning}`),
  });
  settings.stop.addEventListener('abort', () => reader?.stop(), { once: true });
  if (settings.stop.aborted) reader.stop();
  settings.log.info(`reading from ${settings.source.urls.join(', ')}`);
  await reader.run();
  await text.host.drain(FLUSH_DEADLINE_MS);
  text.close();
  const counts = { ...reader.counts(), unusable: reader.counts().unusable + view.broken };
  settings.log.info(countsText(counts));
  return resultOf(problem, hasGaps(counts));
}

const resultOf = (problem: TracerError | null, isIncomplete: boolean): SessionResult => ({
  exitCode: problem?.exitCode ?? (isIncomplete ? EXIT.incomplete : EXIT.ok),
  problem,
});
