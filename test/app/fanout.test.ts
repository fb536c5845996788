import { expect, test } from 'vitest';
import { Fanout, type FanoutSink, MAX_BACKLOG_BYTES } from '../../src/app/fanout.ts';
import type { LossEvent, TraceEvent } from '../../src/model/index.ts';

const event = (bytes: number): LossEvent => ({ type: 'loss', time: '', tsNs: '0', bytes, cause: 'test' });

function fakeSink(name: string, backlog: () => number) {
  const seen: TraceEvent[] = [];
  const calls: string[] = [];
  const sink: FanoutSink = {
    name,
    accept: (e) => seen.push(e),
    backlogBytes: backlog,
    drained: async () => void calls.push('drained'),
    flush: async () => void calls.push('flush'),
    close: async () => void calls.push('close'),
  };
  return { sink, seen, calls };
}

test('a stalled sink loses the newest events, is counted, and holds up no other sink', () => {
  const stalled = fakeSink('terminal', () => MAX_BACKLOG_BYTES + 1);
  const quick = fakeSink('ndjson', () => 0);
  const fanout = new Fanout([stalled.sink, quick.sink]);
  fanout.accept(event(1));
  fanout.accept(event(2));
  expect(stalled.seen).toEqual([]);
  expect(quick.seen).toEqual([event(1), event(2)]);
  expect(fanout.dropped()).toEqual({ terminal: 2 });
});

test('a source that can wait waits for a sink that is over half of its bound, and only then', async () => {
  const idle = fakeSink('ndjson', () => MAX_BACKLOG_BYTES / 2);
  await new Fanout([idle.sink]).ready();
  expect(idle.calls).toEqual([]);
  const busy = fakeSink('ndjson', () => MAX_BACKLOG_BYTES / 2 + 1);
  await new Fanout([busy.sink]).ready();
  expect(busy.calls).toEqual(['drained']);
});

test('closing flushes all sinks before it closes any', async () => {
  const order: string[] = [];
  const sinks = ['a', 'b'].map((name) => ({
    ...fakeSink(name, () => 0).sink,
    flush: async () => void order.push(`flush ${name}`),
    close: async () => void order.push(`close ${name}`),
  }));
  await new Fanout(sinks).close(10);
  expect(order).toEqual(['flush a', 'flush b', 'close a', 'close b']);
});

test('a sink that says itself whether it is behind is asked, and what it gave up counts', async () => {
  const bus = fakeSink('NATS', () => 0);
  const fanout = new Fanout([{ ...bus.sink, isBehind: () => true, lostEvents: () => 3 }]);
  await fanout.ready();
  expect(bus.calls).toEqual(['drained']);
  expect(fanout.dropped()).toEqual({ NATS: 3 });
});
