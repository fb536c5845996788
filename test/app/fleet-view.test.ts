import { expect, test } from 'vitest';
import { createFleetView } from '../../src/app/fleet-view.ts';
import type { FleetEvent, LossEvent, Origin } from '../../src/model/index.ts';
import { call, memoryHost, summary } from '../sinks/events.ts';

const origin = (host: string, session = 's1'): Origin => ({ host, user: 'ada', session, seq: 1 });
const loss: LossEvent = {
  type: 'loss',
  time: '2026-03-01T14:05:09.042Z',
  tsNs: '1',
  bytes: 16_384,
  cause: 'ring full',
};

async function shown(
  events: readonly (readonly [FleetEvent, Origin])[],
  format: 'terminal' | 'ndjson' = 'terminal',
): Promise<string[]> {
  const host = memoryHost();
  const view = createFleetView(format, host, false);
  for (const [event, from] of events) await view.accept(event, from);
  return host.text().split('\n');
}

test('calls of all machines stand in one table, each behind its origin', async () => {
  const lines = await shown([
    [call(), origin('a')],
    [call(), origin('b')],
  ]);
  expect(lines.filter((line) => line.includes('chat.completions')).map((line) => line.slice(0, 25))).toEqual([
    'ada@a                    ',
    'ada@b                    ',
  ]);
  expect(lines.filter((line) => /\btime\b/i.test(line))).toHaveLength(1);
});

test('losses count for their own session', async () => {
  const lines = await shown([
    [loss, origin('a', 's1')],
    [summary({ lost: { out: 0, in: 0, incompleteCalls: 0 } }), origin('b', 's2')],
  ]);
  expect(lines.filter((line) => line.startsWith('ada@b') && line.includes('16,384'))).toEqual([]);
});

test('a name cannot steer the terminal, and is cut to its column', async () => {
  const [line = ''] = (await shown([[loss, origin(`\x1b[2Jevil${'x'.repeat(40)}`)]])) as string[];
  expect(line).not.toContain('\x1b');
  expect(line.slice(24, 25)).toBe(' ');
});

test('as JSON every event has its origin behind its own members, heartbeats too', async () => {
  const [line = ''] = await shown([[loss, origin('a')]], 'ndjson');
  expect(line).toBe(`${JSON.stringify(loss).slice(0, -1)},"origin":{"host":"a","user":"ada","session":"s1","seq":1}}`);
});
