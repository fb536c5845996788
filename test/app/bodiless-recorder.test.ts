import { expect, it } from 'vitest';
import { createBodilessRecorder } from '../../src/app/bodiless-recorder.ts';
import { Pipeline } from '../../src/app/pipeline.ts';
import type { CallEvent, CaptureRecord, TraceEvent } from '../../src/model/index.ts';
import { canarySession } from '../kit/canary-session.ts';

function callsOf(records: readonly CaptureRecord[], onRecord?: (record: CaptureRecord) => void): CallEvent[] {
  const calls: CallEvent[] = [];
  const recorded: CaptureRecord[] = [];
  const bodiless = createBodilessRecorder({
    record: (record) => recorded.push(record),
    close: async () => ({ bytes: 0, droppedBlocks: 0, error: null }),
  });
  const emit = (event: TraceEvent): void => {
    if (event.type === 'call') calls.push(event);
  };
  const pipeline = new Pipeline({ emit, onOpaque: () => {}, onEngineEvent: (event) => bodiless.event(event) });
  for (const record of records) {
    bodiless.record(record, null);
    pipeline.accept(record);
  }
  pipeline.end('', null);
  for (const record of recorded) onRecord?.(record);
  return calls;
}

it('records heads, sizes and times, and no byte of a body or a message', async () => {
  const { records, canaries } = await canarySession();
  const recorded: CaptureRecord[] = [];
  const before = callsOf(records, (record) =>
    recorded.push(record.kind === 'data' ? { ...record, bytes: record.bytes.slice() } : record),
  );
  const after = callsOf(recorded);
  const facts = ({ id, time, host, method, path, status, end, request, response }: CallEvent) => [
    [id, time, host, method, path, status, end],
    [request.decodedBytes, response.decodedBytes],
  ];
  // A WebSocket without readable messages is one call.
  const others = ({ id }: CallEvent): boolean => !id.startsWith('c5.');
  expect(after.filter(others).map(facts)).toEqual(before.filter(others).map(facts));
  const plain = Buffer.concat(
    recorded.map((record) => (record.kind === 'data' ? record.bytes : Buffer.alloc(0))),
  ).toString('latin1');
  const inBodies = canaries.filter(([position]) =>
    /prompt|answer|tool result|gzip|chunks|delta|DATA|fragments|token endpoint|form field|OAuth answer/.test(position),
  );
  expect(inBodies.length).toBeGreaterThan(10);
  expect(inBodies.filter(([, secret]) => plain.includes(secret.slice(0, 8))).map(([position]) => position)).toEqual([]);
});
