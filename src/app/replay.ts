// `tracer replay`: a recording as the source of a session. No root, no addon, no kernel.

import { type CaptureSource, openReplay, type ReplaySource } from '../capture/index.ts';
import { provideCodecs } from './codecs.ts';
import { createTidier } from './heap.ts';
import { installationKey } from './installation-key.ts';
import { runSession } from './session.ts';
import type { Log, OutputSettings, SessionResult } from './types.ts';
import { userName } from './user-name.ts';

export interface ReplaySettings extends OutputSettings {
  /** Parts of one session, or recordings of several; `-` is standard input. */
  readonly files: readonly string[];
  /** Times as fast as it happened; undefined: as fast as it goes. */
  readonly speed: number | undefined;
  /** Told after every block; `totalBytes` is null when the input has no size. */
  onProgress?(position: { readonly readBytes: number; readonly totalBytes: number | null }): void;
}

export async function replay(settings: ReplaySettings): Promise<SessionResult> {
  provideCodecs();
  const source = openReplay(settings.files, { speed: settings.speed });
  const { key } = installationKey();
  const result = await runSession({
    source: watched(source, settings),
    settings,
    user: userName(),
    key,
    recorder: null,
    onOpaque: () => {},
    cost: () => null,
    problem: () => source.ending()?.error ?? null,
    endsEarly: () => source.endsEarly(),
  });
  warnOf(source, settings.log);
  return result;
}

/** The source, with a word about how far it is whenever it waits for the sinks; what was read is collected then, too. */
function watched(source: ReplaySource, settings: ReplaySettings): CaptureSource {
  const tidy = createTidier();
  return {
    run: (sink, ready) =>
      source.run(sink, () => {
        tidy.read(source.position().readBytes);
        settings.onProgress?.(source.position());
        return ready();
      }),
    stop: (reason) => source.stop(reason),
  };
}

/** What a reader should know about the files: what is missing, cut, or could not be decoded. */
export function warnOf(source: ReplaySource, log: Log): void {
  for (const warning of source.warnings()) log.warn(warning);
  for (const { path, end, malformed, error } of source.endings()) {
    if (end.state === 'cut' && error === null) log.warn(`${path}: ${end.problem}; read up to there`);
    if (malformed > 0) log.warn(`${path}: ${malformed} records could not be decoded`);
  }
}
