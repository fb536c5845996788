// Runs the tracer without root, as `daemon` (a user that every Debian has and that owns nothing), through setpriv(1).
import { spawnSync } from 'node:child_process';
import { KitProcess } from './process.ts';
import { collectRun, TRACER, type TracerRun } from './tracer.ts';

export const DAEMON_UID = 1;
/** Arguments of setpriv(1). */
export const AS_DAEMON: readonly string[] = [
  '--reuid',
  String(DAEMON_UID),
  '--regid',
  String(DAEMON_UID),
  '--clear-groups',
  '--inh-caps=-all',
  '--bounding-set=-all',
];

/** Why the tracer cannot be run as another user here, or null: a checkout below a private folder cannot be read by others. */
export function whyNotAsUser(): string | null {
  const { status } = spawnSync('setpriv', [...AS_DAEMON, 'test', '-r', TRACER]);
  return status === 0 ? null : `user ${DAEMON_UID} cannot read ${TRACER}`;
}

export function runAsUser(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<TracerRun> {
  return collectRun(new KitProcess('setpriv', [...AS_DAEMON, TRACER, ...args], { env: { ...process.env, ...env } }));
}

/** What sudo sets when `daemon` calls it. */
export const SUDO_BY_DAEMON = { SUDO_UID: String(DAEMON_UID), SUDO_GID: String(DAEMON_UID), SUDO_USER: 'daemon' };
