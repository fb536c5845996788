// A session made anew without a change replays to the same calls, holes and ends included.
import { expect, it } from 'vitest';
import { Pipeline } from '../../../src/app/pipeline.ts';
import { type Changes, Rebuilder } from '../../../src/app/rebuild/rebuilder.ts';
import type { CallEvent, CaptureRecord, TraceEvent } from '../../../src/model/index.ts';
import { http2Bytes } from '../../kit/http2-bytes.ts';
import { Script } from '../../kit/records.ts';
import { http1Request, http1Response } from '../../kit/session-file.ts';

const SAME: Changes = {
  requestHead: (head) => head,
  responseHead: (head) => head,
  body: (_id, _side, bytes) => bytes,
  message: (_id, _side, bytes) => bytes,
  record: (record) => record,
};

function rebuilt(records: readonly CaptureRecord[]): { calls: CallEvent[]; records: CaptureRecord[] } {
  const out: CaptureRecord[] = [];
  const keep = (record: CaptureRecord): void => {
    out.push(record.kind === 'data' ? { ...record, bytes: record.bytes.slice() } : record);
  };
  const rebuilder = new Rebuilder(SAME, keep);
  const calls: CallEvent[] = [];
  const emit = (event: TraceEvent): void => {
    if (event.type === 'call') calls.push(event);
  };
  const pipeline = new Pipeline({ emit, onOpaque: () => {}, onEngineEvent: (event) => rebuilder.event(event) });
  for (const record of records) {
    rebuilder.record(record);
    pipeline.accept(record);
  }
  pipeline.end('', null);
  return { calls, records: out };
}

const expectSame = (script: Script, count: number): void => {
  const first = rebuilt(script.records);
  expect(first.calls.length).toBe(count);
  expect(rebuilt(first.records).calls).toEqual(first.calls);
};

it('keeps a hole in a body, and a call that was cut', () => {
  const script = new Script();
  const lossy = script.connection({ ssl: 1n }).sni('a.test');
  lossy.out(http1Request('GET /hole', 'a.test', []));
  lossy.in('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc').lose('in', 90).in('1234567');
  lossy
    .out(http1Request('POST /cut', 'a.test', ['Content-Length: 10']))
    .out('123')
    .close();
  expectSame(script, 2);
});

it('keeps the order of connections and answers that come together', () => {
  const script = new Script();
  const [one, two] = [script.connection({ ssl: 1n }), script.connection({ ssl: 2n })];
  one.out(http1Request('GET /1', 'a.test', []));
  two.out(http1Request('GET /2', 'a.test', []));
  two.in(http1Response('204 No Content', [])).close();
  one.in(http1Response('200 OK', ['Content-Type: text/plain'], 'x')).close('progress');
  expectSame(script, 2);
});

it('keeps HTTP/2 streams with their trailers and resets', async () => {
  const script = new Script();
  const connection = script.connection({ ssl: 1n }).sni('a.test');
  const exchange = (path: string) => ({
    request: { ':method': 'GET', ':path': path, ':authority': 'a.test' },
    response: { ':status': 200, 'content-type': 'text/plain' },
    answer: ['one', 'two'],
  });
  for (const { dir, bytes } of await http2Bytes([exchange('/1'), exchange('/2')])) connection.data(dir, bytes);
  connection.close();
  expectSame(script, 2);
});

it('empties a connection that speaks nothing known', () => {
  const script = new Script();
  script.connection({ ssl: 1n }).out('*2\r\n$4\r\nAUTH\r\n$6\r\nsecret\r\n').close();
  const { records } = rebuilt(script.records);
  expect(records.map((record) => (record.kind === 'data' ? record.bytes.length : record.kind))).toEqual([0, 'close']);
});
