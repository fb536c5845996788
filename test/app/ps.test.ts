import { type ChildProcess, spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { listProcesses, type PsRow } from '../../src/app/ps.ts';
import { startSleeper } from '../kit/running.ts';

/** A Node process and its Node child, with what the list says of both. */
async function familyRows(): Promise<{ rows: readonly PsRow[]; parent: ChildProcess; childPid: number }> {
  const script = `
    const child = require('child_process').spawn(process.execPath, ['-e', 'console.log(1); process.stdin.resume()']);
    child.stdout.once('data', () => console.log(child.pid));
    process.stdin.on('end', () => process.exit()).resume();
  `;
  const parent = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'ignore'] });
  const childPid = Number(await new Promise((done) => parent.stdout?.once('data', done)));
  return { rows: listProcesses({ all: false }).rows, parent, childPid };
}

test('children follow their parents, one step deeper, with role, library and evidence', async () => {
  const { rows, parent, childPid } = await familyRows();
  parent.stdin?.end();
  const [at, childAt] = [parent.pid, childPid].map((pid) => rows.findIndex((row) => row.pid === pid));
  const [row, child] = [rows[at ?? -1], rows[childAt ?? -1]];
  expect(childAt).toBeGreaterThan(at ?? Number.NaN);
  expect((child?.depth ?? 0) - (row?.depth ?? 0)).toBe(1);
  expect(child).toMatchObject({
    parentPid: parent.pid,
    role: 'node',
    hookable: true,
    uid: process.getuid?.(),
    notes: [],
  });
  expect(child?.tls[0]?.library).toMatch(/^openssl/);
  expect(child?.tls[0]?.evidence).toContain(
    'TLS version and cipher by the code of SSL_version, SSL_get_current_cipher',
  );
});

test('this process is not listed; one without TLS only when all are asked for', async () => {
  using sleeper = await startSleeper();
  const isListed = (all: boolean): boolean => listProcesses({ all }).rows.some((row) => row.pid === sleeper.pid);
  expect([isListed(false), isListed(true)]).toEqual([false, true]);
  expect(listProcesses({ all: true }).rows.map((row) => row.pid)).not.toContain(process.pid);
});
