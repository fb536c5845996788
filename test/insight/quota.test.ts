import { expect, it } from 'vitest';
import { limitOf, QuotaLog } from '../../src/insight/quota.ts';
import type { CallCompleted, HeaderField } from '../../src/model/index.ts';
import { made } from './calls.ts';

const answered = (headers: readonly HeaderField[], more: Partial<CallCompleted> = {}): CallCompleted => {
  const call = made({ messages: [], startMs: 0, endMs: 1 });
  return { ...call, response: { ...call.response, headers }, ...more };
};
const seriesOf = (...calls: CallCompleted[]) => {
  const log = new QuotaLog();
  for (const call of calls) log.accept(call);
  return log.list();
};
const header = (rem: string) =>
  ['x-quota-snapshot-premium_models', `ent=300&rem=${rem}&ov=1.5&ovPerm=true&rst=2026-12-01T00%3A00%3A00Z`] as const;

it('keeps the changes of a quota and counts its snapshots', () => {
  const [series] = seriesOf(answered([header('90')]), answered([header('90')]), answered([header('89.5')]));
  expect(series).toMatchObject({ name: 'premium_models', snapshots: 3, points: { length: 2 } });
  expect(series?.points[0]).toMatchObject({
    source: 'header',
    used: 31.5,
    quota: {
      entitlement: 300,
      percentRemaining: 90,
      overageUsed: 1.5,
      isOverageAllowed: true,
      resets: '2026-12-01T00:00:00Z',
    },
  });
});

it('reads WebSocket and account as well, and unlimited quotas', () => {
  const other = [{ type: 'copilot_quota_snapshots', json: { chat: { entitlement: '-1', percent_remaining: 100 } } }];
  const socket = answered([]);
  const account = { facts: 'account' as const, quotas: { completions: { entitlement: 2000, percentRemaining: 50 } } };
  const series = seriesOf({ ...socket, llm: { ...socket.llm!, other } }, answered([], { service: account }));
  expect(
    series.map(({ name, points }) => [name, points[0]?.source, points[0]?.quota.entitlement, points[0]?.used]),
  ).toEqual([
    ['chat', 'websocket', null, undefined],
    ['completions', 'account', 2000, 1000],
  ]);
});

it('takes nothing from headers that are no quota', () => {
  expect(
    seriesOf(
      answered([
        ['x-quota-snapshot-chat', 'nonsense'],
        ['x-quota-snapshot-b', 'ent=%&rem='],
        ['date', 'x'],
      ]),
    ),
  ).toEqual([]);
});

it('bounds what one quota keeps: the first point and the newest', () => {
  const calls = Array.from({ length: 700 }, (_, at) => answered([header(String(at / 10))]));
  const [series] = seriesOf(...calls);
  expect(series?.points).toHaveLength(500);
  expect([series?.points[0]?.quota.percentRemaining, series?.points.at(-1)?.quota.percentRemaining]).toEqual([0, 69.9]);
});

it('names the limit that was hit and when to come back', () => {
  expect(
    limitOf([
      ['x-ratelimit-exceeded', 'user-model'],
      ['retry-after', '7'],
    ]),
  ).toEqual({ exceeded: 'user-model', retryAfter: '7' });
  expect(limitOf([])).toEqual({});
});
