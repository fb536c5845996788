// A server that is killed and started again while events flow: all of them arrive, once, in order.
import { expect } from 'vitest';
import { decodeEvent } from '../../src/sinks/proto/event-codec.ts';
import { delta, storedIn, testSink } from '../kit/bus.ts';
import { HANG_MS } from '../kit/hang.ts';
import { live } from '../kit/live.ts';
import { NatsServer } from '../kit/nats-server.ts';

/** The whole run takes minutes on a small machine: `TRACER_NATS_EVENTS=50000`. */
const EVENTS = Number(process.env['TRACER_NATS_EVENTS'] ?? 10_000);
const KILLS = 10;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Numbers in ids as stretches that count up: `1-7 9-12` lacks 8. */
function stretches(ids: readonly string[]): string {
  const ends: [number, number][] = [];
  for (const seq of ids.map((id) => Number(id.split(':')[1]))) {
    const last = ends.at(-1);
    if (last !== undefined && seq === last[1] + 1) last[1] = seq;
    else ends.push([seq, seq]);
  }
  return ends.map(([from, to]) => `${from}-${to}`).join(' ');
}

live(
  `${EVENTS} events are all in the stream, once and in order, though the server is killed ${KILLS} times`,
  async () => {
    await using server = await NatsServer.start();
    await using run = await testSink({ urls: [server.url] });
    const { sink } = run;
    let sent = 0;
    let killed = 0;
    let isDown = false;
    /** Events by which the next kill is due. */
    const due = (): number => Math.floor((EVENTS * (killed + 1)) / (KILLS + 1));
    const kills = (async () => {
      while (killed < KILLS) {
        while (sent < due()) await pause(2);
        isDown = true;
        await server.kill();
        await pause(50);
        const { published } = sink.counts();
        await server.start();
        while (sink.counts().published === published) await pause(2);
        isDown = false;
        killed += 1;
      }
    })();
    while (sent < EVENTS) {
      // On through the outage, so that something waits behind it, but not to the next kill.
      const until = Math.min(EVENTS, due() + (isDown ? EVENTS / (2 * KILLS) : 0), sent + 50);
      for (; sent < until; sent += 1) sink.accept(delta(sent + 1));
      await pause(2);
    }
    await kills;
    while (sink.counts().published <= EVENTS) await pause(20);
    await sink.close();
    expect(run.warnings.filter((text) => text.includes('connection lost'))).toHaveLength(KILLS);
    expect(stretches((await storedIn(server.url)).map(({ id }) => id))).toBe(`1-${EVENTS + 1}`);
    expect(sink.counts()).toMatchObject({ accepted: EVENTS + 1, published: EVENTS + 1, dropped: 0, spooledBytes: 0 });
  },
  300_000,
);

live('what was published arrives as it was', async () => {
  await using server = await NatsServer.start();
  await using run = await testSink({ urls: [server.url] });
  run.sink.accept(delta(1, 'ünï'));
  await run.sink.flush(HANG_MS);
  await run.sink.close();
  const stored = await storedIn(server.url);
  expect(stored.map(({ subject }) => subject)).toEqual([
    'tracer.v1.build-7%2Eexample.ada.session',
    'tracer.v1.build-7%2Eexample.ada.sse',
  ]);
  expect(decodeEvent(stored[1]?.data ?? new Uint8Array())).toEqual(delta(1, 'ünï'));
});
