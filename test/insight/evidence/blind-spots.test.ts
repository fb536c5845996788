import { describe, expect, test } from 'vitest';
import { BlindSpots } from '../../../src/insight/index.ts';
import type { ConnectionEvent, ProcessEvent, TlsLibraryFact } from '../../../src/model/index.ts';
import { asks, made } from '../calls.ts';

const at = { time: '', tsNs: '0' };
const connection = (more: Partial<ConnectionEvent>): ConnectionEvent => ({
  type: 'connection',
  phase: 'closed',
  ...at,
  id: 'c1',
  pid: 1,
  role: '',
  ...more,
});
const call = made({ messages: [asks('x')], startMs: 0, endMs: 1 });

test('nothing is hidden in a call that was captured and kept whole', () => {
  const blind = new BlindSpots();
  blind.call(call, 'c1.1', { text: '{}', whole: true });
  blind.event(connection({ phase: 'identified', protocol: 'http/2' }));
  blind.event(connection({ outBytes: 100, lostInBytes: 50 }));
  expect(blind.list).toEqual([]);
});

test('a body beyond the limit, a binary one, a call whose beginning was missed, and a body that was not recorded hide something', () => {
  const blind = new BlindSpots();
  blind.call(call, 'c1.1', { text: 'x', whole: false });
  blind.call(call, 'c1.2', { text: '\ufffd\ufffd\u0001x', whole: true });
  blind.call({ ...call, joinedLate: true, captured: 'partly' }, 'c1.3', { text: '', whole: true });
  blind.call(call, 'c1.4', { text: ' '.repeat(40), whole: true });
  expect(blind.list.map(({ what, where }) => [what, where])).toEqual([
    ['cut-body', 'c1.1'],
    ['undecoded-body', 'c1.2'],
    ['late-call', 'c1.3'],
    ['undecoded-body', 'c1.4'],
  ]);
});

test('a connection that was opaque or never recognised, when it sent something', () => {
  const blind = new BlindSpots();
  blind.event(connection({ phase: 'identified', protocol: 'opaque', detail: 'redis' }));
  blind.event(connection({ outBytes: 10 }));
  blind.event(connection({ id: 'c2', outBytes: 0 }));
  blind.event(connection({ id: 'c3', outBytes: 7 }));
  expect(blind.list).toEqual([
    { what: 'opaque-connection', where: 'c1', why: 'its protocol is opaque (redis)', bytes: 10 },
    { what: 'opaque-connection', where: 'c3', why: 'its protocol is not recognised', bytes: 7 },
  ]);
});

test('lost bytes are added up by place; those of the way in hide nothing that was sent', () => {
  const blind = new BlindSpots();
  const loss = { type: 'loss', ...at, cause: 'not captured', connection: 'c1' } as const;
  blind.event({ ...loss, dir: 'out', bytes: 3 });
  blind.event({ ...loss, dir: 'out', bytes: 4 });
  blind.event({ ...loss, dir: 'in', bytes: 100 });
  expect(blind.list).toMatchObject([{ what: 'lost-bytes', where: 'c1', bytes: 7 }]);
});

describe('a TLS library that is not hooked', () => {
  const gnutls = { library: 'gnutls', file: '/lib/libgnutls.so.30', hooked: false, reason: 'gnutls: not supported' };
  const openssl = {
    library: 'openssl 3.0',
    file: '/lib/libssl.so.3',
    hooked: true,
    reason: 'SSL_read by dynamic symbol',
  };
  const process = (tls: readonly TlsLibraryFact[], more: Partial<ProcessEvent> = {}): ProcessEvent => ({
    type: 'process',
    phase: 'exec',
    ...at,
    pid: 1,
    parentPid: 0,
    comm: 'curl',
    exe: '/usr/bin/curl',
    args: [],
    role: '',
    tls,
    ...more,
  });
  const listed = (...events: readonly (ProcessEvent | ConnectionEvent)[]) => {
    const blind = new BlindSpots();
    for (const event of events) blind.event(event);
    return blind.list.map(({ what, where, why }) => `${what} ${where} ${why}`);
  };
  const spot = 'unhooked-process process 1 (curl) its TLS library (gnutls) was not hooked';
  const opened = connection({ phase: 'opened' });

  test('hides something while nothing of its process was hooked', () => {
    expect(listed(process([gnutls]), process([gnutls], { phase: 'exited' }))).toEqual([spot]);
    expect(listed(process([gnutls]), connection({ phase: 'opened', pid: 2 }))).toEqual([spot]);
    expect(listed(opened, process([gnutls]))).toEqual([spot]);
  });

  test('hides nothing when another one was hooked, or connections of the process were seen', () => {
    expect(listed(process([gnutls]), process([openssl, gnutls]))).toEqual([]);
    expect(listed(process([gnutls]), opened, process([gnutls], { phase: 'exited' }))).toEqual([]);
    expect(listed(process([]), opened, process([gnutls]))).toEqual([]);
  });

  test('still does when connections went unseen, or may have been missed, or belong to another program', () => {
    expect(listed(process([{ ...gnutls, reason: 'gnutls: not supported, 2 connections unseen' }]), opened)).toEqual([
      spot,
    ]);
    expect(listed(process([gnutls]), process([{ ...openssl, mayHaveMissed: true }, gnutls]))).toEqual([spot]);
    expect(listed(opened, process([]), opened, process([{ ...gnutls, mayHaveMissed: true }]))).toEqual([spot]);
    expect(listed(process([], { exe: '/bin/other' }), opened, process([gnutls]))).toEqual([spot]);
    expect(listed(process([]), opened, process([gnutls], { phase: 'found' }))).toEqual([spot]);
  });
});

test('the list is bounded', () => {
  const blind = new BlindSpots();
  for (let id = 0; id < 1_500; id += 1) blind.event(connection({ id: `c${id}`, outBytes: 1 }));
  expect([blind.list.length, blind.more]).toEqual([1_000, 500]);
});
