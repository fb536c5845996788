import { chmodSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { lookUpUser } from '../../src/app/identity.ts';
import { startCommand } from '../../src/app/start-command.ts';

// In CI nothing is skipped: what needs root and has it not fails.
const mayTry = process.getuid?.() === 0 || process.env.CI === 'true';
const me = lookUpUser(String(process.getuid?.() ?? 0), 'run');

test.skipIf(!mayTry)('a program waits at the gate, keeps its pid, and runs as the given user', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'tracer-gate-'));
  chmodSync(dir, 0o777);
  const out = join(dir, 'out');
  const nobody = lookUpUser('nobody', 'run');
  const program = await startCommand(['sh', '-c', `echo $$ $(id -u) $HOME > ${out}`], nobody, false);
  expect(() => readFileSync(out)).toThrow('ENOENT');
  program.release();
  expect(await program.exited).toBe(0);
  expect(readFileSync(out, 'utf8')).toBe(`${program.pid} ${nobody.uid} /nonexistent\n`);
});

test.skipIf(!mayTry)('an abandoned program never starts', async () => {
  const out = join(mkdtempSync(join(tmpdir(), 'tracer-gate-')), 'out');
  const program = await startCommand(['touch', out], me, false);
  program.abandon();
  expect(await program.exited).toBe(125);
  expect(() => readFileSync(out)).toThrow('ENOENT');
});

test.skipIf(!mayTry)('its exit code is reported as a shell does, a signal as 128 and its number', async () => {
  const failing = await startCommand(['sh', '-c', 'exit 7'], me, false);
  failing.release();
  expect(await failing.exited).toBe(7);
  const killed = await startCommand(['sh', '-c', 'kill -KILL $$'], me, false);
  killed.release();
  expect(await killed.exited).toBe(137);
});

test('without setpriv(1) the error names it and its package, not the program that was to be started', async () => {
  vi.stubEnv('PATH', '/nonexistent');
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(startCommand(['/bin/true'], me, false)).rejects.toMatchObject({
    code: 'E_PLACE_NO_TOOL',
    message: 'the program setpriv is needed and is not in PATH (/nonexistent)',
    hint: expect.stringContaining('util-linux'),
  });
});
