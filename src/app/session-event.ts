// The session as the bus knows it. Its name is a function of the recording, so that a replay of it names every event as the
// live run did and JetStream keeps each once; what changes the events (a filter, secrets in place) changes the name.

import { createHash } from 'node:crypto';
import type { SessionEvent, SessionRecord } from '../model/index.ts';
import { createClock } from './clock.ts';
import type { OutputSettings } from './types.ts';

const NAME_DIGITS = 16;

export function toSessionEvent(record: SessionRecord, user: string, settings: OutputSettings): SessionEvent {
  const { host, wallNs, tsNs, toolVersion } = record;
  const facts = [host, String(wallNs), String(tsNs), settings.filter ?? '', String(settings.reveal)];
  const session = createHash('sha256').update(facts.join('\n')).digest('hex').slice(0, NAME_DIGITS);
  const clock = createClock();
  clock.set(tsNs, wallNs);
  return { type: 'session', ...clock.stamp(tsNs), session, host, user, toolVersion };
}
