// A live session and the export of its recording give a collector the same spans.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { exportRecordings, replay } from '../../src/app/index.ts';
import { openOtlpOutput } from '../../src/app/otlp-output.ts';
import { scratch } from '../kit/recording.ts';

/** A document as it comes. */
type Json = ReturnType<typeof JSON.parse>;

const received: Json[] = [];
const server = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  received.push(JSON.parse(Buffer.concat(parts).toString()));
  response.end('{}');
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
process.env['OTEL_EXPORTER_OTLP_PROTOCOL'] = 'http/json';
afterAll(() => {
  delete process.env['OTEL_EXPORTER_OTLP_PROTOCOL'];
  server.close();
});

const warnings: string[] = [];
const log = { debug: () => {}, info: () => {}, warn: (text: string) => void warnings.push(text), error: () => {} };
const common = () => ({ reveal: false, log, stop: new AbortController().signal });
const settings = (over: object = {}) => ({
  ...common(),
  command: 'attach',
  format: 'ndjson' as const,
  outputFile: scratch('out.ndjson'),
  verbose: false,
  color: false,
  columns: undefined,
  ...over,
});

/** Spans that came since the last time, by their ids; attributes with them. */
function spans(): Json[] {
  const list = received.splice(0).flatMap((request) => request.resourceSpans ?? []);
  const all = list.flatMap((one: Json) => one.scopeSpans[0].spans);
  return all.sort((a: Json, b: Json) => a.spanId.localeCompare(b.spanId));
}

test.each(['agent-turn', 'subagent', 'retry', 'every-kind', 'websocket'])('the spans of session %s', async (name) => {
  const file = `test/sessions/${name}/session.trc`;
  for (const content of [false, true]) {
    await replay({ ...settings({ otlp: { url, content } }), files: [file], speed: undefined });
    const live = spans();
    await exportRecordings({ ...common(), files: [file], targets: new Map([['otlp', url]]), content });
    expect(live.length).toBeGreaterThan(1);
    expect(live).toEqual(spans());
  }
});

test('a filter leaves out calls, and moves no other', async () => {
  const file = 'test/sessions/agent-turn/session.trc';
  const filter = 'class:chat.* kind:agent.round';
  await replay({ ...settings({ otlp: { url, content: false }, filter }), files: [file], speed: undefined });
  const live = spans();
  await exportRecordings({ ...common(), files: [file], targets: new Map([['otlp', url]]), content: false, filter });
  expect(live).toEqual(spans());
  expect(live.some(({ name, parentSpanId }) => name.startsWith('chat') && parentSpanId !== undefined)).toBe(true);
});

test('spans that no collector took make the session incomplete', async () => {
  const file = 'test/sessions/agent-turn/session.trc';
  const otlp = { url: 'http://127.0.0.1:1', content: false };
  const result = await replay({ ...settings({ otlp }), files: [file], speed: undefined });
  expect(result.exitCode).toBe(4);
  expect(warnings).toContainEqual(
    expect.stringMatching(/^http:\/\/127.0.0.1:1 did not take the data: nothing listens/),
  );
  expect(warnings).toContainEqual(expect.stringMatching(/^\d+ events dropped: the OTLP output/));
});

test('a collector that never answers holds up the end no longer than the deadline', async () => {
  const silent = createServer(() => {});
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const [sink] = openOtlpOutput(
    settings({ otlp: { url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`, content: false } }),
  );
  const { call } = await import('../sinks/events.ts');
  sink?.accept(call());
  await sink?.flush(50);
  await sink?.close();
  expect(sink?.lostEvents?.()).toBe(1);
  silent.closeAllConnections();
  silent.close();
});
