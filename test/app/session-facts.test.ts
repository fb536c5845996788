import { expect, test } from 'vitest';
import { SessionFacts } from '../../src/app/session-facts.ts';
import type { ProcessRecord, SessionRecord } from '../../src/model/index.ts';

const process = (pid: number, role = 'x'): ProcessRecord => ({
  kind: 'process',
  tsNs: 1n,
  pid,
  startNs: 1n,
  parentPid: 1,
  comm: '',
  exe: '',
  args: [],
  role,
  tls: [],
});

test('the clock comes first, then each process that is alive as it was last known', () => {
  const start: SessionRecord = {
    kind: 'session',
    tsNs: 1n,
    phase: 'start',
    wallNs: 2n,
    host: '',
    toolVersion: '',
    reason: '',
  };
  const facts = new SessionFacts();
  for (const record of [process(1), process(2), start, process(1, 'shell')]) facts.learn(record);
  facts.learn({ kind: 'exit', tsNs: 1n, pid: 2, startNs: 1n, code: 0 });
  facts.learn({ ...start, phase: 'end' });
  expect(facts.records()).toEqual([start, process(1, 'shell')]);
});

test('however many processes there were, the memory is bounded', () => {
  const facts = new SessionFacts();
  for (let pid = 1; pid <= 5000; pid++) facts.learn(process(pid));
  const records = facts.records();
  expect(records).toHaveLength(4096);
  expect(records.at(-1)).toEqual(process(5000));
});
