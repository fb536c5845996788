// A live session: attach as root, give root up, then parse, print and record with the rights of the invoking user.

import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { keepOnly, LiveSource } from '../capture/index.ts';
import { loadMetrics } from '../sinks/index.ts';
import { provideCodecs } from './codecs.ts';
import { callersCache } from './discovery-cache.ts';
import { createEncrypter } from './encrypted-file.ts';
import type { Identity } from './identity.ts';
import { installationKey } from './installation-key.ts';
import { openRecorder, type Recorder } from './recorder.ts';
import { resetOpenConnections } from './reset-connections.ts';
import { runSession } from './session.ts';
import { startStats } from './stats.ts';
import { readSupplied } from './supplied.ts';
import { lockTarget, type TargetLock } from './target-lock.ts';
import type { CaptureSettings, SessionResult } from './types.ts';
import { toolVersion } from './version.ts';

export interface LiveTargets {
  readonly pids: readonly number[];
  /** Go on when no target has a TLS library yet. */
  readonly wait: boolean;
  /** Close the connections that the targets have open once the probes are in place. */
  readonly resetConnections?: boolean;
  /** Programs that will be started: their files are hooked before they run. */
  readonly programs: readonly string[];
  /** Called when everything is in place, before the first record is handled. */
  onAttached(): void;
}

/** Runs a live session to its end; `identity` is as whom it goes on once attached. Throws what prevents it from starting. */
export async function runLive(
  settings: CaptureSettings,
  targets: LiveTargets,
  identity: Identity,
): Promise<SessionResult> {
  const locks: TargetLock[] = [];
  try {
    for (const pid of targets.pids) locks.push(await lockTarget(pid));
    return await runLocked(settings, targets, identity);
  } finally {
    for (const lock of locks) lock.release();
  }
}

async function runLocked(settings: CaptureSettings, targets: LiveTargets, identity: Identity): Promise<SessionResult> {
  const startedMs = performance.now();
  provideCodecs();
  if (settings.metrics !== undefined) await loadMetrics();
  const source = openSource(settings, targets);
  try {
    if (targets.resetConnections === true) resetOpenConnections(source, settings.log);
    const key = dropRights(source, identity, settings);
    const recorder = openSessionRecorder(settings, identity, (error) => source.stop(error.message));
    settings.log.info(attachedText(source, identity, performance.now() - startedMs));
    targets.onAttached();
    return await runWithStats(settings, source, { identity, key, recorder });
  } finally {
    source.close();
  }
}

const openSource = (settings: CaptureSettings, targets: LiveTargets): LiveSource =>
  LiveSource.open({
    command: settings.command,
    pids: targets.pids,
    programs: targets.programs,
    followChildren: settings.followChildren,
    peers: settings.peers,
    wait: targets.wait,
    ringBytes: settings.ringBytes,
    measure: settings.stats,
    cache: callersCache(),
    ...(settings.supplied && { supplied: readSupplied(settings.supplied, targets) }),
    toolVersion: toolVersion(),
    log: settings.log,
  });

/**
 * Gives root up and returns the fingerprint key of whoever called: root's own when root called without sudo (read before
 * the rights go), else the invoking user's (read as that user). So a later replay by the same caller finds the same key.
 */
function dropRights(source: LiveSource, identity: Identity, settings: CaptureSettings): Uint8Array {
  const isSudo = process.env['SUDO_UID'] !== undefined;
  const before = isSudo ? null : installationKey();
  keepOnly(source.neededCapabilities(), identity);
  const { key, kept } = before ?? installationKey();
  if (!kept) settings.log.warn('no fingerprint key could be stored: fingerprints of secrets hold for this run only');
  return key;
}

interface SessionContext {
  readonly identity: Identity;
  readonly key: Uint8Array;
  readonly recorder: Recorder | null;
}

async function runWithStats(
  settings: CaptureSettings,
  source: LiveSource,
  context: SessionContext,
): Promise<SessionResult> {
  const stats = settings.stats ? startStats(source, settings.log) : null;
  try {
    return await runSession({
      source,
      settings,
      user: context.identity.name,
      key: context.key,
      recorder: context.recorder,
      maxCalls: settings.maxCalls,
      durationMs: settings.durationMs,
      onOpaque: (connection) => source.skip(connection),
      cost: () => source.cost(),
      problem: () => null,
    });
  } finally {
    stats?.stop();
  }
}

/** What the user should know about the file. */
const recordingNote = ({ encryption, noBodies }: CaptureSettings): string => {
  if (encryption !== undefined) return 'encrypted; without its passphrase or key nobody can read it';
  const what =
    noBodies === true ? 'it holds header fields with their secrets' : 'it holds all secrets that cross the wire';
  return `${what}, keep it private`;
};

const bootId = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();

function openSessionRecorder(
  settings: CaptureSettings,
  identity: Identity,
  onError: (error: Error) => void,
): Recorder | null {
  if (settings.recordFile === undefined) return null;
  const { encryption = null } = settings;
  const encrypter = encryption === null ? null : createEncrypter(encryption, settings.command);
  const facts = {
    monoNs: process.hrtime.bigint(),
    wallNs: BigInt(Date.now()) * 1_000_000n,
    bootId: bootId(),
    host: hostname(),
    toolVersion: toolVersion(),
  };
  const recorder = openRecorder(settings.recordFile, identity.name, facts, onError, settings.rotation, encrypter);
  settings.log.info(`recording to ${settings.recordFile}: ${recordingNote(settings)}`);
  return recorder;
}

function attachedText(source: LiveSource, identity: Identity, tookMs: number): string {
  const count = source.targets().length;
  const processes = `${count} process${count === 1 ? '' : 'es'}`;
  const rights = source.neededCapabilities().join(', ');
  return `attached to ${processes} in ${tookMs.toFixed(0)} ms, running as ${identity.name} with ${rights}`;
}
