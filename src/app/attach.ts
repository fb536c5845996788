// `tracer attach`: a live session over processes that run already.

import { chooseIdentity } from './identity.ts';
import { runLive } from './live.ts';
import type { CaptureSettings, SessionResult } from './types.ts';

export interface AttachSettings extends CaptureSettings {
  readonly pids: readonly number[];
  /** Attach even when no TLS library is loaded yet. */
  readonly wait: boolean;
  /** Close what the targets have open, so that their connections are seen from the first byte. */
  readonly resetConnections: boolean;
}

export function attach(settings: AttachSettings): Promise<SessionResult> {
  const [targetPid] = settings.pids;
  const identity = chooseIdentity({ user: settings.user, targetPid }, process.env, settings.command);
  const { pids, wait, resetConnections } = settings;
  const targets = { pids, wait, resetConnections, programs: [], onAttached: () => {} };
  return runLive(settings, targets, identity);
}
