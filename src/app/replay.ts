// `tracer replay`: a recording as the source of a session. No root, no addon, no kernel.

import { openReplay } from '../capture/index.ts';
import { provideCodecs } from './codecs.ts';
import { installationKey } from './installation-key.ts';
import { runSession } from './session.ts';
import type { OutputSettings, SessionResult } from './types.ts';

export interface ReplaySettings extends OutputSettings {
  readonly file: string;
}

export async function replay(settings: ReplaySettings): Promise<SessionResult> {
  provideCodecs();
  const source = openReplay(settings.file);
  const { key } = installationKey();
  const result = await runSession({
    source,
    settings,
    user: process.env['USER'] ?? String(process.getuid?.()),
    key,
    recorder: null,
    onOpaque: () => {},
    cost: () => null,
    problem: () => source.ending()?.error ?? null,
  });
  const ending = source.ending();
  if (ending?.end.state === 'cut') settings.log.warn(`${settings.file}: ${ending.end.problem}; replayed up to there`);
  if (ending !== null && ending.malformed > 0) settings.log.warn(`${ending.malformed} records could not be decoded`);
  return result;
}
