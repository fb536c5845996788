import { expect, test } from 'vitest';
import { BlindSpots } from '../../../src/insight/index.ts';
import type { ConnectionEvent } from '../../../src/model/index.ts';
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

test('the list is bounded', () => {
  const blind = new BlindSpots();
  for (let id = 0; id < 1_500; id += 1) blind.event(connection({ id: `c${id}`, outBytes: 1 }));
  expect([blind.list.length, blind.more]).toEqual([1_000, 500]);
});
