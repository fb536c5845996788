// `tracer attach`: a live session over processes that run already.

import { existsSync } from 'node:fs';
import { processOfThread } from '../capture/index.ts';
import { TracerError } from '../errors.ts';
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

export async function attach(settings: AttachSettings): Promise<SessionResult> {
  const pids = targetPids(settings);
  const [targetPid] = pids;
  const identity = chooseIdentity({ user: settings.user, targetPid }, process.env, settings.command);
  const { wait, resetConnections } = settings;
  const targets = { pids, wait, resetConnections, programs: [], onAttached: () => {} };
  return runLive(settings, targets, identity);
}

/** From here on a target that is missing is one that has ended meanwhile. Tools such as htop list threads by their own numbers. */
function targetPids({ pids, log }: AttachSettings): readonly number[] {
  const processes = pids.map((id) => {
    if (!existsSync(`/proc/${id}`)) throw new TracerError('E_TARGET_NO_SUCH_PID', { pid: id });
    const pid = processOfThread(id);
    if (pid !== id) log.info(`${id} is a thread of process ${pid}, which is traced as a whole`);
    return pid;
  });
  return [...new Set(processes)];
}
