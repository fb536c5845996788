import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';

const answers: unknown[] = [];
const parentPort = Object.assign(new EventEmitter(), { postMessage: (answer: unknown) => void answers.push(answer) });
vi.mock('node:worker_threads', () => ({ parentPort }));

test('the thread answers with findings, or null for a file that has gone', async () => {
  await import('../../../src/capture/live/inspect-worker.ts');
  parentPort.emit('message', '/bin/sh');
  parentPort.emit('message', '/nonexistent');
  expect(answers).toEqual([
    { path: '/bin/sh', findings: expect.objectContaining({ findings: [] }) },
    { path: '/nonexistent', findings: null },
  ]);
});
