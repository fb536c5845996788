import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { Pipeline } from '../../src/app/pipeline.ts';
import type { CaptureRecord, ConnectionKey, TraceEvent } from '../../src/model/index.ts';
import { Script } from '../kit/records.ts';

const WALL_NS = 1_700_000_000_000_000_000n;

function run(records: readonly CaptureRecord[]) {
  const events: TraceEvent[] = [];
  const opaque: ConnectionKey[] = [];
  const pipeline = new Pipeline({ emit: (event) => events.push(event), onOpaque: (key) => opaque.push(key) });
  for (const record of records) pipeline.accept(record);
  pipeline.end('test', null);
  return { events, opaque, calls: pipeline.calls };
}

const typed = <T extends TraceEvent['type']>(events: readonly TraceEvent[], type: T) =>
  events.filter((event): event is Extract<TraceEvent, { type: T }> => event.type === type);

function start(script: Script): void {
  script.add({
    kind: 'session',
    tsNs: 1000n,
    phase: 'start',
    wallNs: WALL_NS,
    host: 'h',
    toolVersion: '1',
    reason: '',
  });
  script.add({
    kind: 'process',
    tsNs: 1001n,
    pid: 7,
    startNs: 5n,
    parentPid: 1,
    comm: 'node',
    exe: '/usr/bin/node',
    args: ['node'],
    role: 'extension-host',
    tls: [],
  });
}

test('a request and its answer become one call of the process that made it', () => {
  const script = new Script();
  start(script);
  script
    .connection()
    .out('GET /models HTTP/1.1\r\nHost: api.githubcopilot.com\r\n\r\n')
    .in('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}')
    .close();
  const { events, calls } = run(script.records);
  expect(typed(events, 'call')).toMatchObject([
    { id: 'c1.1', pid: 7, role: 'extension-host', class: 'models.list', status: 200, response: { bytes: 2 } },
  ]);
  expect(calls).toBe(1);
  expect(typed(events, 'call')[0]?.time.slice(0, 19)).toBe('2023-11-14T22:13:20');
});

test('events come in the order of the facts: process, connection, call, summary', () => {
  const script = new Script();
  start(script);
  script.connection().out('GET / HTTP/1.1\r\nHost: x\r\n\r\n').in('HTTP/1.1 204 No\r\n\r\n').close();
  const order = run(script.records).events.map((event) =>
    'phase' in event ? `${event.type} ${event.phase}` : event.type,
  );
  expect(order).toEqual([
    'process found',
    'connection opened',
    'connection identified',
    'call.started',
    'call',
    'connection closed',
    'summary',
  ]);
});

test('every event is plain JSON: no bigint reaches a sink', () => {
  const script = new Script();
  start(script);
  script.add({ kind: 'fork', tsNs: 1002n, parentPid: 7, child: { pid: 8, startNs: 6n } });
  script.add({ kind: 'exit', tsNs: 1003n, pid: 8, startNs: 6n, code: 9 });
  script.connection().out('GET / HTTP/1.1\r\nHost: x\r\n\r\n').lose('in', 5).close();
  expect(() => JSON.stringify(run(script.records).events)).not.toThrow();
});

test('a child appears as forked with its parent’s role, and exits with a shell’s exit code', () => {
  const script = new Script();
  start(script);
  script.add({ kind: 'fork', tsNs: 1002n, parentPid: 7, child: { pid: 8, startNs: 6n } });
  script.add({ kind: 'exit', tsNs: 1003n, pid: 8, startNs: 6n, code: 9 });
  script.add({ kind: 'exit', tsNs: 1004n, pid: 7, startNs: 5n, code: 3 << 8 });
  expect(
    typed(run(script.records).events, 'process').map(({ phase, pid, role, exitCode }) => [phase, pid, role, exitCode]),
  ).toEqual([
    ['found', 7, 'extension-host', undefined],
    ['forked', 8, 'extension-host', undefined],
    ['exited', 8, 'extension-host', 137],
    ['exited', 7, 'extension-host', 3],
  ]);
});

test('lost bytes are told when they are known, and add up in the summary with the calls that they hit', () => {
  const script = new Script();
  start(script);
  script
    .connection()
    .out('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    .in('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345')
    .lose('in', 5)
    .close();
  const { events } = run(script.records);
  expect(typed(events, 'loss')).toMatchObject([{ connection: 'c1', dir: 'in', bytes: 5 }]);
  expect(typed(events, 'call')).toMatchObject([{ captured: 'partly', response: { bytes: 10, lostBytes: 5 } }]);
  expect(typed(events, 'summary')).toMatchObject([
    { lost: { out: 0, in: 5, incompleteCalls: 1 }, complete: false, calls: 1, connections: 1, processes: 1 },
  ]);
});

test('a connection that speaks nothing known is handed back, so that its bytes are copied no more', () => {
  const script = new Script();
  start(script);
  const connection = script.connection().sni('example.org');
  const noise = Uint8Array.from({ length: 16_384 }, (_, i) => (i * 197 + 11) & 0xff);
  for (let i = 0; i < 16; i++) connection.out(noise).in(noise);
  const { events, opaque } = run(script.records);
  expect(opaque).toEqual([connection.key]);
  expect(typed(events, 'connection').map(({ protocol }) => protocol)).toContain('opaque');
});

test('the same records give the same events, byte for byte', () => {
  const script = new Script();
  start(script);
  script
    .connection()
    .out('GET /a HTTP/1.1\r\nHost: x\r\n\r\n')
    .in('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1')
    .close();
  expect(JSON.stringify(run(script.records).events)).toBe(JSON.stringify(run(script.records).events));
});

test('a body is read up to the limit that was asked for, and its length is told in full', () => {
  const script = new Script();
  start(script);
  const body = JSON.stringify({ model: 'gpt-x', messages: [{ role: 'user', content: 'x'.repeat(5000) }] });
  script
    .connection()
    .out(
      `POST /chat/completions HTTP/1.1\r\nHost: api.githubcopilot.com\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    .in('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}')
    .close();
  const events: TraceEvent[] = [];
  const options = { limits: { maxBodyBytes: 1000 } };
  const pipeline = new Pipeline({ emit: (event) => events.push(event), onOpaque: () => {} }, options);
  for (const record of script.records) pipeline.accept(record);
  pipeline.end('test', null);
  const [call] = typed(events, 'call');
  expect(call?.request).toMatchObject({ bytes: body.length, decodedBytes: body.length });
  expect(call?.notes).toContain(`request body kept to 1000 of ${body.length} bytes: limit of one body`);
  expect(call?.llm?.request?.model).toBe('gpt-x');
});

test('a body that is no text is told by type, length and hash', () => {
  const script = new Script();
  start(script);
  const form = '--b\r\nContent-Disposition: form-data; name="f"\r\n\r\nvalue\r\n--b--\r\n';
  const picture = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3);
  const zipped = gzipSync(picture);
  script
    .connection()
    .out(
      `POST /up HTTP/1.1\r\nHost: h\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${form.length}\r\n\r\n${form}`,
    )
    .in(
      `HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Encoding: gzip\r\nContent-Length: ${zipped.length}\r\n\r\n`,
    )
    .in(Uint8Array.from(zipped))
    .out('GET /cut HTTP/1.1\r\nHost: h\r\n\r\n')
    .in('HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: 20\r\n\r\n0123456789')
    .close();
  const hash = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
  const [first, cut] = typed(run(script.records).events, 'call');
  expect(first?.request).toMatchObject({ bytes: form.length, binaryType: 'multipart/form-data', sha256: hash(form) });
  expect(first?.response).toMatchObject({ decodedBytes: 8, binaryType: 'image/png', sha256: hash(picture) });
  expect([cut?.response.binaryType, cut?.response.sha256]).toEqual(['application/octet-stream', undefined]);
});
