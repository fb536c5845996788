import { request } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import type { CallEvent, TraceEvent } from '../../../src/model/index.ts';
import { MetricsCollector } from '../../../src/sinks/metrics/collect.ts';
import { type MetricsSink, openMetrics } from '../../../src/sinks/metrics/metrics.ts';

const base = { time: '2026-03-01T14:05:09.042Z', tsNs: '1' };
const body = { bytes: 10, decodedBytes: 10, headers: [] };
const call = (fields: Partial<CallEvent> = {}, model = 'gpt-4.1'): CallEvent => ({
  ...base,
  type: 'call',
  id: 'c1.1',
  pid: 7,
  role: 'extension-host',
  class: 'chat.completions',
  evidence: '',
  host: 'api.githubcopilot.com',
  method: 'POST',
  path: '/chat/completions',
  status: 200,
  httpVersion: '2',
  request: body,
  response: { ...body, bytes: 30 },
  llm: {
    dialect: 'openai-chat',
    model,
    text: 'secret answer',
    toolCalls: [],
    usage: { input: 100, cached: 60, output: 7 },
    finishReason: 'stop',
    complete: true,
  },
  timing: { ttfbMs: 100, ttftMs: 700, durationMs: 1500 },
  end: 'complete',
  captured: 'whole',
  ...fields,
});

const open: MetricsSink[] = [];
afterEach(async () => {
  for (const sink of open.splice(0)) await sink.close();
});

async function sinkWith(events: readonly TraceEvent[], bus: (() => Record<string, number>) | null = null) {
  const sink = await openMetrics({ port: 0, token: undefined }, { bus });
  open.push(sink);
  for (const event of events) sink.accept(event);
  return sink;
}

function get(sink: MetricsSink, headers: Record<string, string> = {}, path = '/metrics', method = 'GET') {
  const { port } = new URL(sink.url);
  const all = { authorization: `Bearer ${sink.token}`, ...headers };
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, method, headers: all }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode, text }));
    })
      .on('error', reject)
      .end();
  });
}

describe('metrics', () => {
  test('count calls, tokens, losses, findings and what is open', async () => {
    const sink = await sinkWith([
      call(),
      call({ status: 429, end: 'reset', captured: 'partly' }),
      { ...base, type: 'loss', bytes: 5, dir: 'in', cause: 'not captured' },
      { ...base, type: 'connection', phase: 'opened', id: 'c1', pid: 7, role: 'x' },
      { ...base, type: 'connection', phase: 'opened', id: 'c2', pid: 7, role: 'x' },
      { ...base, type: 'connection', phase: 'closed', id: 'c1', pid: 7, role: 'x' },
    ]);
    sink.counters({ ring_peak_bytes: 4096 });
    const { status, text } = await get(sink);
    expect(status).toBe(200);
    for (const line of [
      'tracer_calls_total{class="chat.completions",model="gpt-4.1",status="2xx",end="complete"} 1',
      'tracer_calls_total{class="chat.completions",model="gpt-4.1",status="4xx",end="reset"} 1',
      'tracer_calls_incomplete_total{class="chat.completions"} 1',
      'tracer_tokens_total{model="gpt-4.1",type="cached"} 120',
      'tracer_body_bytes_total{class="chat.completions",side="response"} 60',
      'tracer_lost_bytes_total{dir="in"} 5',
      'tracer_connections_open 1',
      'tracer_kernel_counter{name="ring_peak_bytes"} 4096',
      'tracer_call_duration_seconds_bucket{le="2",class="chat.completions"} 2',
      'tracer_time_to_first_token_seconds_sum{model="gpt-4.1"} 1.4',
    ])
      expect(text.split('\n')).toContain(line);
    expect(text).not.toContain('secret answer');
  });

  test('have the counts of the bus as they are when somebody asks', async () => {
    let spooledBytes = 1;
    const sink = await sinkWith([], () => ({ spooledBytes }));
    spooledBytes = 7;
    expect((await get(sink)).text).toContain('tracer_nats{name="spooledBytes"} 7');
  });

  test('have no more series than a bound, however many models a peer names', async () => {
    const collector = new MetricsCollector();
    for (let n = 0; n < 500; n++) collector.accept(call({}, `model-${n}`));
    const lines = (await collector.registry.metrics())
      .split('\n')
      .filter((line) => line.startsWith('tracer_calls_total{'));
    expect(lines).toHaveLength(101);
    expect(lines.at(-1)).toBe(
      'tracer_calls_total{class="chat.completions",model="other",status="2xx",end="complete"} 400',
    );
  });
});

describe('the server of metrics', () => {
  test('refuses everybody without the token, other hosts and web pages', async () => {
    const sink = await sinkWith([call()]);
    expect((await get(sink, { authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await get(sink, { authorization: '' })).status).toBe(401);
    expect((await get(sink, { host: 'evil.example' })).status).toBe(421);
    expect((await get(sink, { origin: 'http://evil.example' })).status).toBe(403);
    expect((await get(sink, {}, '/')).status).toBe(404);
    expect((await get(sink, {}, '/metrics', 'POST')).status).toBe(405);
    expect((await get(sink, { host: `localhost:${new URL(sink.url).port}` })).status).toBe(200);
  });

  test('takes the token that it is given; a port that is taken is E_METRICS_LISTEN', async () => {
    const sink = await sinkWith([]);
    const port = Number(new URL(sink.url).port);
    await expect(openMetrics({ port, token: 'x' }, { bus: null })).rejects.toMatchObject({
      code: 'E_METRICS_LISTEN',
      exitCode: 34,
    });
    const own = await openMetrics({ port: 0, token: 'mine' }, { bus: null });
    open.push(own);
    expect((await get(own, { authorization: 'Bearer mine' })).status).toBe(200);
  });
});
