import { expect, test } from 'vitest';
import { Registry } from '../../src/app/registry.ts';
import type { ProcessRecord } from '../../src/model/index.ts';

const record = (pid: number, role: string): ProcessRecord => ({
  kind: 'process',
  tsNs: 1n,
  pid,
  startNs: BigInt(pid),
  parentPid: 1,
  comm: 'node',
  exe: '/usr/bin/node',
  args: ['node'],
  role,
  tls: [],
});

const keyOf = (pid: number) => ({ pid, startNs: BigInt(pid), ssl: 1n, generation: 1 });

test('a connection has the pid and the role of its process', () => {
  const registry = new Registry();
  registry.learnProcess(record(7, 'extension-host'));
  registry.openConnection(1, keyOf(7));
  expect(registry.roleOf(1)).toEqual({ pid: 7, role: 'extension-host' });
});

test('a stale helper is one until it is told anew, its children are not', () => {
  const registry = new Registry();
  expect(registry.learnProcess({ ...record(7, 'extension-host'), stale: true }).stale).toBe(true);
  expect(registry.forkProcess(7, 8, 80n)).not.toHaveProperty('stale');
  expect(registry.learnProcess(record(7, 'extension-host'))).not.toHaveProperty('stale');
});

test('a forked child starts as what its parent is', () => {
  const registry = new Registry();
  registry.learnProcess(record(7, 'main'));
  expect(registry.forkProcess(7, 8, 80n)).toMatchObject({ pid: 8, parentPid: 7, role: 'main', exe: '/usr/bin/node' });
});

test('a connection whose process was never seen has an unknown role, and one that was never opened no pid', () => {
  const registry = new Registry();
  registry.openConnection(1, keyOf(9));
  expect(registry.roleOf(1)).toEqual({ pid: 9, role: 'unknown' });
  expect(registry.roleOf(2)).toEqual({ pid: 0, role: 'unknown' });
});

test('late events still find a connection that was closed, until 4096 later ones were', () => {
  const registry = new Registry();
  for (let id = 1; id <= 5000; id++) {
    registry.openConnection(id, keyOf(7));
    registry.closeConnection(id);
  }
  expect(registry.connection(5000)).toBeDefined();
  expect(registry.connection(905)).toBeDefined();
  expect(registry.connection(904)).toBeUndefined();
});

test('exited processes are forgotten after 4096 later exits', () => {
  const registry = new Registry();
  for (let pid = 1; pid <= 5000; pid++) {
    registry.learnProcess(record(pid, 'node'));
    registry.exitProcess(pid);
  }
  expect(registry.process(905)).toBeDefined();
  expect(registry.process(904)).toBeUndefined();
});

test('an exit does not forget a newer process that got the same pid', () => {
  const registry = new Registry();
  registry.learnProcess(record(1, 'old'));
  registry.exitProcess(1);
  registry.learnProcess({ ...record(1, 'new'), startNs: 999n });
  for (let pid = 2; pid <= 5000; pid++) {
    registry.learnProcess(record(pid, 'node'));
    registry.exitProcess(pid);
  }
  expect(registry.process(1)?.role).toBe('new');
});
