import { expect, test } from 'vitest';
import { toSessionEvent } from '../../src/app/session-event.ts';
import type { OutputSettings } from '../../src/app/types.ts';
import type { SessionRecord } from '../../src/model/index.ts';

const RECORD: SessionRecord = {
  kind: 'session',
  tsNs: 5_000_000_000n,
  phase: 'start',
  wallNs: 1_767_225_600_000_000_000n,
  host: 'build-7',
  toolVersion: '0.1.0',
  reason: '',
};
const name = (record: SessionRecord, settings: Partial<OutputSettings>, user = 'ada'): string =>
  toSessionEvent(record, user, { reveal: false, ...settings } as OutputSettings).session;

test('a session says who traces where and since when', () => {
  expect(toSessionEvent(RECORD, 'ada', { reveal: false } as OutputSettings)).toEqual({
    type: 'session',
    time: '2026-01-01T00:00:00.000Z',
    tsNs: '5000000000',
    session: expect.stringMatching(/^[0-9a-f]{16}$/),
    host: 'build-7',
    user: 'ada',
    toolVersion: '0.1.0',
  });
});

test('its name is that of the recording, whoever replays it', () => {
  expect(name(RECORD, {}, 'bob')).toBe(name(RECORD, {}));
  expect(name({ ...RECORD, wallNs: RECORD.wallNs + 1n }, {})).not.toBe(name(RECORD, {}));
});

test('what changes its events changes its name', () => {
  const names = [{}, { filter: 'class:x' }, { reveal: true }].map((settings) => name(RECORD, settings));
  expect(new Set(names).size).toBe(3);
});
