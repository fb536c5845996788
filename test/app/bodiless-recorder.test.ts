import { expect, it } from 'vitest';
import { createBodilessRecorder } from '../../src/app/bodiless-recorder.ts';
import { Pipeline } from '../../src/app/pipeline.ts';
import type { CallCompleted, CallEvent, CaptureRecord, TraceEvent } from '../../src/model/index.ts';
import { withoutBodies } from '../../src/privacy/index.ts';
import { canarySession } from '../kit/canary-session.ts';

function callsOf(records: readonly CaptureRecord[], onRecord?: (record: CaptureRecord) => void): CallEvent[] {
  const calls: CallEvent[] = [];
  const recorded: CaptureRecord[] = [];
  const bodiless = createBodilessRecorder({
    record: (record) => recorded.push(record),
    close: async () => ({ bytes: 0, droppedRecords: 0, droppedBytes: 0, error: null }),
  });
  const emit = (event: TraceEvent, fact?: CallCompleted): void => {
    if (fact !== undefined) bodiless.call(fact);
    if (event.type === 'call') calls.push(event);
  };
  const pipeline = new Pipeline({ emit, onOpaque: () => {}, onEngineEvent: (event) => bodiless.event(event) });
  for (const record of records) {
    bodiless.record(record, null);
    pipeline.accept(record);
  }
  pipeline.end('', null);
  void bodiless.close();
  for (const record of recorded) onRecord?.(record);
  return calls;
}

const bytesOf = (record: CaptureRecord): string => {
  if (record.kind === 'data') return Buffer.from(record.bytes).toString('latin1');
  return record.kind === 'call-facts' ? record.json : '';
};

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
  // Of a message of a WebSocket the size is told, not the method of the request that opened it.
  expect(after.map(facts)).toEqual(before.map(facts));
  const plain = recorded.map(bytesOf).join('');
  const inBodies = canaries.filter(([position]) =>
    /prompt|answer|tool result|gzip|chunks|delta|DATA|fragments|token endpoint|form field|OAuth answer/.test(position),
  );
  expect(inBodies.length).toBeGreaterThan(10);
  expect(inBodies.filter(([, secret]) => plain.includes(secret.slice(0, 8))).map(([position]) => position)).toEqual([]);
});

it('keeps names, models and usage, as they are shown live', async () => {
  const { records } = await canarySession();
  const recorded: CaptureRecord[] = [];
  const live = callsOf(records, (record) => recorded.push(record));
  const replayed = callsOf(recorded);
  const shown = (call: CallEvent) => {
    const { llm, evidence, kind, class: callClass, timing } = withoutBodies(call) as CallEvent;
    return { id: call.id, callClass, kind, evidence, llm: llm && { ...llm, answeredBy: call.llm?.answeredBy }, timing };
  };
  const models = (calls: readonly CallEvent[]) => calls.filter(({ llm }) => llm !== undefined).map(shown);
  expect(models(replayed)).toEqual(models(live));
  expect(models(live).some(({ llm }) => (llm?.usage.input ?? 0) > 0)).toBe(true);
  expect(models(live).some(({ id }) => id.split('.').length === 3)).toBe(true);
});

it('takes whatever stands in a file for facts of a call', async () => {
  const { records } = await canarySession();
  const recorded: CaptureRecord[] = [];
  const live = callsOf(records, (record) => recorded.push(record));
  for (const json of [
    '',
    '[]',
    '{"llm":7,"class":[]}',
    '{"llm":{"dialect":"x","usage":{"input":"1"},"toolCalls":[0]}}',
  ]) {
    const spoilt = recorded.map((record) => (record.kind === 'call-facts' ? { ...record, json, ageNs: -1n } : record));
    expect(callsOf(spoilt).length).toBeGreaterThanOrEqual(live.length - 2);
  }
});
