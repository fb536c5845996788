// The JetStream stream that keeps the events: created when it is missing, checked when it exists, never changed and never
// deleted: it may be somebody's.

import {
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  type StreamConfig,
} from '@nats-io/jetstream';
import { errors, type NatsConnection } from '@nats-io/transport-node';
import { TracerError } from '../../errors.ts';
import { DUPLICATE_WINDOW_MS, type StreamSettings } from './settings.ts';
import { ALL_SUBJECTS, covers } from './subjects.ts';

/** Codes of the JetStream API. */
const STREAM_NOT_FOUND = 10059;
const STREAM_NAME_IN_USE = 10058;
const NS_PER_MS = 1_000_000;

export interface StreamFacts {
  /** Largest message that the stream takes; undefined: what the server takes. */
  readonly maxMessageBytes: number | undefined;
  /** What the user should know about an existing stream. */
  readonly warnings: readonly string[];
}

async function findOrCreate(manager: JetStreamManager, settings: StreamSettings): Promise<Partial<StreamConfig>> {
  const { name } = settings;
  try {
    return (await manager.streams.info(name)).config;
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== STREAM_NOT_FOUND) throw error;
  }
  try {
    return (await manager.streams.add(configOf(settings))).config;
  } catch (error) {
    // Another tracer of the fleet was faster.
    if (error instanceof JetStreamApiError && error.code === STREAM_NAME_IN_USE) {
      return (await manager.streams.info(name)).config;
    }
    throw error;
  }
}

const configOf = ({ name, maxAgeMs, maxBytes }: StreamSettings) => ({
  name,
  subjects: [ALL_SUBJECTS],
  max_age: maxAgeMs * NS_PER_MS,
  max_bytes: maxBytes,
  // The oldest go when it is full: a stream that refuses would block the tracers in front of it.
  discard: DiscardPolicy.Old,
  duplicate_window: DUPLICATE_WINDOW_MS * NS_PER_MS,
});

function warningsOf(config: Partial<StreamConfig>, name: string): string[] {
  const windowMs = (config.duplicate_window ?? 0) / NS_PER_MS;
  const warnings: string[] = [];
  if (windowMs < DUPLICATE_WINDOW_MS) {
    warnings.push(
      `stream ${name} remembers ids for ${windowMs / 1000} s only: after a longer outage events may be twice in it`,
    );
  }
  if (config.discard === DiscardPolicy.New) {
    warnings.push(`stream ${name} refuses new messages when it is full: events then wait in the spool`);
  }
  return warnings;
}

/**
 * Makes sure that the stream is there and takes our subjects. Throws E_NATS_STREAM when it cannot be used, and whatever the
 * client throws when the server does not answer (JetStream is slow to start): then it is worth another try.
 */
export async function ensureStream(connection: NatsConnection, settings: StreamSettings): Promise<StreamFacts> {
  const manager = await jetstreamManager(connection, { checkAPI: false });
  let config: Partial<StreamConfig>;
  try {
    config = await findOrCreate(manager, settings);
  } catch (error) {
    if (isDenied(error))
      return { maxMessageBytes: undefined, warnings: [`we may not look at the stream ${settings.name}`] };
    if (!(error instanceof JetStreamApiError) || isPassing(error)) throw error;
    throw new TracerError('E_NATS_STREAM', { stream: settings.name, reason: error.message }, { cause: error });
  }
  if (!(config.subjects ?? []).some((pattern) => covers(pattern, ALL_SUBJECTS))) {
    const reason = `it exists and takes ${(config.subjects ?? []).join(', ')}, not ${ALL_SUBJECTS}`;
    throw new TracerError('E_NATS_STREAM', { stream: settings.name, reason });
  }
  const limit = config.max_msg_size ?? -1;
  return { maxMessageBytes: limit > 0 ? limit : undefined, warnings: warningsOf(config, settings.name) };
}

/** 503: JetStream is starting, or has no leader at the moment. */
const isPassing = (error: JetStreamApiError): boolean => error.status === 503;

/** Publishing may be all that we are allowed to do, and is all that is needed. */
const isDenied = (error: unknown): boolean =>
  error instanceof Error && [error, error.cause].some((cause) => cause instanceof errors.PermissionViolationError);
