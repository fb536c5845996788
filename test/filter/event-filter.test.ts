import { describe, expect, test } from 'vitest';
import { createFilter, type EventFilter, isMistake } from '../../src/filter/index.ts';
import type { CallDeltaEvent, CallStartedEvent, FindingEvent, FleetEvent } from '../../src/model/index.ts';
import { call, connectionEvent, OTHER_EVENTS, summary } from '../sinks/events.ts';

const AT = { time: '2026-03-01T14:05:09.042Z', tsNs: '1' };

function filterOf(text: string): EventFilter {
  const filter = createFilter(text);
  if (isMistake(filter)) throw new Error(filter.what);
  return filter;
}

const started = (id: string, name: string): CallStartedEvent => ({
  type: 'call.started',
  ...AT,
  id,
  pid: 1,
  role: 'node',
  class: name,
  host: null,
  method: null,
  path: null,
  model: null,
});
const delta = (id: string): CallDeltaEvent => ({ type: 'call.delta', ...AT, id, kind: 'text', text: 'a' });
const finding = (id: string, rule: string): FindingEvent => ({
  type: 'finding',
  ...AT,
  rule,
  severity: 'high',
  call: id,
  where: 'prompt',
  fingerprint: '3fa9c1d2',
});

describe('a filter over events', () => {
  test('passes the pieces of the calls that it passes', () => {
    const filter = filterOf('class:chat.*');
    const events: FleetEvent[] = [
      started('c1.1', 'chat.completions'),
      started('c1.2', 'token'),
      delta('c1.2'),
      delta('c1.1'),
      delta('c1.3'),
    ];
    expect(events.map((event) => filter.accepts(event))).toEqual([true, false, false, true, false]);
  });

  test('leaves pieces out when it says so, whatever it says of their call', () => {
    for (const text of ['-type:call.delta', 'type:call or type:call.started']) {
      const filter = filterOf(text);
      expect(
        [started('c1.1', 'token'), delta('c1.1'), call({ id: 'c1.1' })].map((event) => filter.accepts(event)),
      ).toEqual([true, false, true]);
    }
  });

  test('keeps calls of one id in two sessions apart', () => {
    const filter = filterOf('class:chat.*');
    const origin = (session: string) => ({ host: 'h', user: 'u', session, seq: 1 });
    filter.accepts(started('c1.1', 'chat.completions'), origin('a'));
    filter.accepts(started('c1.1', 'token'), origin('b'));
    expect([filter.accepts(delta('c1.1'), origin('a')), filter.accepts(delta('c1.1'), origin('b'))]).toEqual([
      true,
      false,
    ]);
  });

  test('waits for the whole call with what its beginning cannot tell', () => {
    const filter = filterOf('status:200');
    expect(filter.accepts(started('c3.5', 'chat.completions'))).toBe(false);
    expect(filter.accepts(call())).toBe(true);
  });

  test('knows the findings in a call', () => {
    const filter = filterOf('finding:secret class:chat.*');
    filter.accepts(finding('c3.5', 'github-token'));
    expect(filter.accepts(call())).toBe(true);
    expect(filter.accepts(call({ id: 'c3.6' }))).toBe(false);
    expect(filterOf('finding:github-*').accepts(finding('c1.1', 'github-token'))).toBe(true);
    expect(filterOf('finding:high').accepts(finding('c1.1', 'github-token'))).toBe(true);
  });

  test('knows what the connection of a call negotiated, until that is closed', () => {
    const events = [
      connectionEvent({ id: 'c1', phase: 'opened' }),
      connectionEvent({ id: 'c1', tlsVersion: '1.1', tlsCipher: 'TLS_RSA_WITH_AES_128_CBC_SHA', alpn: 'http/1.1' }),
      connectionEvent({ id: 'c2', tlsVersion: '1.3', tlsCipher: 'TLS_AES_128_GCM_SHA256' }),
      started('c1.1', 'chat.completions'),
      call({ id: 'c1.1' }),
      call({ id: 'c2.1' }),
      connectionEvent({ id: 'c1', phase: 'closed' }),
      call({ id: 'c1.2' }),
    ];
    const passed = (text: string): string[] => {
      const filter = filterOf(text);
      return events
        .filter((event) => filter.accepts(event))
        .map((event) => `${event.type} ${'id' in event && event.id}`);
    };
    expect(passed('tls.version<1.2')).toEqual(['connection c1', 'call c1.1', 'connection c1']);
    expect(passed('type:call tls.version:1.3')).toEqual(['call c2.1']);
    expect(passed('type:call tls.cipher:*_CBC_*')).toEqual(['call c1.1']);
    expect(passed('type:call alpn:http/1.1')).toEqual(['call c1.1']);
    expect(passed('type:call not tls.version>=1.2')).toEqual(['call c1.1', 'call c1.2']);
  });

  test('finds a connection by its other end', () => {
    const connection = connectionEvent({ remote: '192.0.2.1:443' });
    expect(filterOf('remote:192.0.2.*').accepts(connection)).toBe(true);
    expect(filterOf('remote:192.0.3.*').accepts(connection)).toBe(false);
  });

  test('does not pass what the condition does not speak of, denied or not', () => {
    const others = [...OTHER_EVENTS.filter(({ type }) => !type.startsWith('call')), summary()];
    for (const text of ['class:chat.*', 'not class:chat.*', 'status>=400 or not model~gpt']) {
      const filter = filterOf(text);
      expect(others.map((event) => filter.accepts(event))).toEqual(others.map(() => false));
    }
  });

  test('asks any event for its type and its origin', () => {
    const origin = { host: 'build-7', user: 'ada', session: 's', seq: 1 };
    expect(filterOf('type:summary').accepts(summary())).toBe(true);
    expect(filterOf('from.host:build-* -from.user:root').accepts(summary(), origin)).toBe(true);
    expect(filterOf('from.host:other').accepts(summary(), origin)).toBe(false);
    expect(filterOf('type:process role:extension-host').accepts(OTHER_EVENTS[0] as FleetEvent)).toBe(true);
  });

  test('forgets the oldest calls, not the newest', () => {
    const filter = filterOf('class:chat.*');
    for (let i = 0; i < 5_000; i += 1) filter.accepts(started(`c1.${i}`, 'chat.completions'));
    expect([filter.accepts(delta('c1.0')), filter.accepts(delta('c1.4999'))]).toEqual([false, true]);
  });
});
