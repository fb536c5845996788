// What arrives at a collector, read with OpenTelemetry's own generated messages (of their JavaScript exporter).
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { exportRecordings } from '../../../src/app/index.ts';
import { exchange, recordingFile } from '../../kit/recording.ts';
import type { Script } from '../../kit/records.ts';

const { opentelemetry } = createRequire(import.meta.url)('@opentelemetry/otlp-transformer/build/src/generated/root.js');
const { trace, metrics } = opentelemetry.proto.collector;

/** A message or a JSON document, as it comes. */
type Json = ReturnType<typeof JSON.parse>;

interface Received {
  readonly path: string;
  readonly type: string;
  readonly authorization: string | undefined;
  readonly body: Buffer;
}

const received: Received[] = [];
let status = 200;

const http: Server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const { authorization, 'content-type': type = '' } = request.headers;
    received.push({ path: request.url ?? '', type, authorization, body: Buffer.concat(parts) });
    response.writeHead(status).end();
  });
});
const grpc = createHttp2Server();
grpc.on('stream', (stream, headers) => {
  const parts: Buffer[] = [];
  stream.on('data', (part: Buffer) => parts.push(part));
  stream.on('end', () => {
    const message = Buffer.concat(parts);
    expect([message[0], message.readUInt32BE(1)]).toEqual([0, message.length - 5]);
    const [path, type] = [String(headers[':path']), String(headers['content-type'])];
    received.push({
      path,
      type,
      authorization: headers['authorization'] as string | undefined,
      body: message.subarray(5),
    });
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': status === 200 ? '0' : '14' }));
    stream.end();
  });
});

async function portOf(server: { listen(port: number, host: string): unknown; address(): unknown }): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server as never, 'listening');
  return (server.address() as AddressInfo).port;
}
const httpPort = await portOf(http);
const grpcPort = await portOf(grpc);
afterAll(() => {
  http.close();
  grpc.close();
});
beforeEach(() => {
  received.length = 0;
  status = 200;
  delete process.env['OTEL_EXPORTER_OTLP_PROTOCOL'];
  process.env['OTEL_EXPORTER_OTLP_HEADERS'] = 'authorization=Bearer%20x';
});

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const SECRET = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6'}`;
const chunk = (fields: unknown): string => `data: ${JSON.stringify(fields)}\n\n`;

/** A turn of an agent: it calls a tool, and answers with its result. */
function agent(script: Script): void {
  const headers =
    'X-Request-Id: turn-1\r\nX-Interaction-Type: conversation-agent\r\nOpenAI-Intent: conversation-agent\r\n';
  const user = { role: 'user', content: `Read a.ts. My key: ${SECRET}` };
  const system = {
    role: 'system',
    content: 'You are an expert AI programming assistant, working with a user in the VS Code editor.',
  };
  const call = {
    index: 0,
    id: 'call_1',
    type: 'function',
    function: { name: 'read_file', arguments: '{"path":"a.ts"}' },
  };
  const tools = [{ type: 'function', function: { name: 'read_file', parameters: {} } }];
  const connection = script.connection().facts({ alpn: 'http/1.1' });
  exchange(connection, {
    headers,
    request: JSON.stringify({ model: 'gpt-4.1', temperature: 0, stream: true, messages: [system, user], tools }),
    response: [
      chunk({ id: 'r1', model: 'gpt-4.1-x', choices: [{ index: 0, delta: { tool_calls: [call] } }] }),
      chunk({ id: 'r1', model: 'gpt-4.1-x', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }),
      chunk({
        id: 'r1',
        model: 'gpt-4.1-x',
        choices: [],
        usage: { prompt_tokens: 100, completion_tokens: 7, total_tokens: 107 },
      }),
      'data: [DONE]\n\n',
    ].join(''),
    type: 'text/event-stream',
  });
  script.nowNs += 2_000_000_000n;
  const result = { role: 'tool', tool_call_id: 'call_1', content: 'const a = 1;' };
  exchange(connection, {
    headers,
    request: JSON.stringify({
      model: 'gpt-4.1',
      stream: true,
      messages: [system, user, { role: 'assistant', content: null, tool_calls: [call] }, result],
      tools,
    }),
    response: `${chunk({ id: 'r2', model: 'gpt-4.1-x', choices: [{ index: 0, delta: { content: 'It is one.' } }] })}data: [DONE]\n\n`,
    type: 'text/event-stream',
  });
  connection.close();
}

const send = (target: string, content = false) =>
  exportRecordings({
    files: [recordingFile(agent)],
    targets: new Map([['otlp', target]]),
    content,
    reveal: false,
    key: new Uint8Array(32),
    log: silent,
    stop: new AbortController().signal,
  });

/** Decodes and checks that encoding again gives the same bytes: no field of ours is unknown to the specification. */
function decoded(Message: Json, body: Buffer): Json {
  const message = Message.decode(body);
  expect(Buffer.from(Message.encode(message).finish()).equals(body)).toBe(true);
  return Message.toObject(message, { longs: String, bytes: Array });
}

const hex = (bytes: number[] | undefined): string => Buffer.from(bytes ?? []).toString('hex');
const attributesOf = (span: Json): Record<string, unknown> =>
  Object.fromEntries(span.attributes.map(({ key, value }: Json) => [key, Object.values(value)[0]]));

function spansIn(body: Buffer): Json[] {
  return decoded(trace.v1.ExportTraceServiceRequest, body).resourceSpans[0].scopeSpans[0].spans;
}

describe('a collector receives over HTTP', () => {
  test('a turn with its calls and the tool between them', async () => {
    expect((await send(`http://127.0.0.1:${httpPort}/`)).exitCode).toBe(0);
    expect(received.map(({ path, type, authorization }) => [path, type, authorization])).toEqual([
      ['/v1/traces', 'application/x-protobuf', 'Bearer x'],
      ['/v1/metrics', 'application/x-protobuf', 'Bearer x'],
    ]);
    const spans = spansIn(received[0]!.body);
    expect(spans.map((span) => span.name)).toEqual([
      expect.stringMatching(/^invoke_agent /),
      'execute_tool read_file',
      'chat gpt-4.1',
      'chat gpt-4.1',
    ]);
    const [turn, tool, first, second] = spans;
    expect(new Set(spans.map((span) => hex(span.traceId))).size).toBe(1);
    expect([turn.traceId.length, turn.spanId.length]).toEqual([16, 8]);
    for (const child of [tool, first, second]) expect(hex(child.parentSpanId)).toBe(hex(turn.spanId));
    expect(turn.parentSpanId).toBeUndefined();
    expect([turn.kind, tool.kind, first.kind]).toEqual([1, 1, 3]);
    expect(BigInt(tool.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(first.endTimeUnixNano));
    expect(BigInt(tool.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(second.startTimeUnixNano));
    expect(BigInt(turn.startTimeUnixNano) / 1_000_000_000n).toBe(BigInt(Date.parse('2026-03-01T14:05:09Z') / 1000));
  });

  test('the attributes of the conventions, and no content', async () => {
    await send(`http://127.0.0.1:${httpPort}`);
    const { body } = received[0]!;
    expect(attributesOf(spansIn(body)[2])).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'github',
      'gen_ai.request.model': 'gpt-4.1',
      'gen_ai.request.temperature': '0',
      'gen_ai.response.model': 'gpt-4.1-x',
      'gen_ai.response.id': 'r1',
      'gen_ai.usage.input_tokens': '100',
      'gen_ai.usage.output_tokens': '7',
      'server.address': 'api.githubcopilot.com',
      'tls.protocol.name': 'tls',
      'tls.protocol.version': '1.3',
      'tls.cipher': 'TLS_AES_128_GCM_SHA256',
      'tls.next_protocol': 'http/1.1',
    });
    for (const content of ['a.ts', 'It is one', 'expert AI', SECRET])
      expect(body.toString('latin1')).not.toContain(content);
  });

  test('content when it is asked for, without secrets', async () => {
    await send(`http://127.0.0.1:${httpPort}`, true);
    const text = received[0]!.body.toString('latin1');
    for (const content of ['Read a.ts', 'It is one', 'expert AI', 'const a = 1;', '{"path":"a.ts"}'])
      expect(text).toContain(content);
    expect(text).not.toContain(SECRET);
  });

  test('histograms of durations, tokens and times to the first token', async () => {
    await send(`http://127.0.0.1:${httpPort}`);
    const request = decoded(metrics.v1.ExportMetricsServiceRequest, received[1]!.body);
    const list = request.resourceMetrics[0].scopeMetrics[0].metrics;
    expect(list.map(({ name, unit }: Json) => [name, unit])).toEqual([
      ['gen_ai.client.operation.duration', 's'],
      ['gen_ai.client.token.usage', '{token}'],
      ['copilot_chat.time_to_first_token', 's'],
    ]);
    expect(list[0].histogram.dataPoints[0]).toMatchObject({ count: '2' });
    const input = list[1].histogram.dataPoints[0];
    expect([input.sum, input.bucketCounts.length, input.explicitBounds.length]).toEqual([100, 15, 14]);
    expect(input.bucketCounts[4]).toBe('1');
  });

  test('the same as JSON, when the environment says so', async () => {
    await send(`http://127.0.0.1:${httpPort}`);
    const binary = spansIn(received[0]!.body);
    process.env['OTEL_EXPORTER_OTLP_PROTOCOL'] = 'http/json';
    await send(`http://127.0.0.1:${httpPort}`);
    const json = JSON.parse(received[2]!.body.toString()).resourceSpans[0].scopeSpans[0].spans;
    expect(received[2]!.type).toBe('application/json');
    expect(json.map((span: Json) => [span.traceId, span.spanId, span.startTimeUnixNano])).toEqual(
      binary.map((span) => [hex(span.traceId), hex(span.spanId), span.startTimeUnixNano]),
    );
  });
});

test('a collector receives the same over gRPC', async () => {
  await send(`http://127.0.0.1:${httpPort}`);
  await send(`grpc://127.0.0.1:${grpcPort}`);
  expect(received.slice(2).map(({ path, type }) => [path, type])).toEqual([
    ['/opentelemetry.proto.collector.trace.v1.TraceService/Export', 'application/grpc'],
    ['/opentelemetry.proto.collector.metrics.v1.MetricsService/Export', 'application/grpc'],
  ]);
  expect(received[2]!.body.equals(received[0]!.body)).toBe(true);
});

test('a collector that refuses or is not there is E_EXPORT_REFUSED', async () => {
  status = 503;
  for (const target of [
    `http://127.0.0.1:${httpPort}`,
    `grpc://127.0.0.1:${grpcPort}`,
    'http://127.0.0.1:1',
    'grpc://127.0.0.1:1',
  ])
    await expect(send(target)).rejects.toMatchObject({ code: 'E_EXPORT_REFUSED', exitCode: 33 });
});
