import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { newPassphrase, unlock } from '../../src/cli/passphrase.ts';

afterEach(() => vi.unstubAllEnvs());

it('takes the passphrase from the environment', async () => {
  vi.stubEnv('TRACER_PASSPHRASE', 'correct horse');
  expect(await newPassphrase('attach')).toBe('correct horse');
  expect(await unlock.passphrase('x.trc')).toBe('correct horse');
});

it('reads the keys of an age identity file, and says when it cannot', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'tracer-keys-'));
  writeFileSync(
    join(dir, 'key'),
    '# created: now\n# public key: age1x\nAGE-SECRET-KEY-1ABC\n\nAGE-SECRET-KEY-1DEF\r\n',
  );
  vi.stubEnv('TRACER_IDENTITY', join(dir, 'key'));
  expect(await unlock.identities()).toEqual(['AGE-SECRET-KEY-1ABC', 'AGE-SECRET-KEY-1DEF']);
  vi.stubEnv('TRACER_IDENTITY', join(dir, 'none'));
  await expect(unlock.identities()).rejects.toMatchObject({ code: 'E_RECORDING_LOCKED' });
  vi.stubEnv('TRACER_IDENTITY', '');
  expect(await unlock.identities()).toEqual([]);
  rmSync(dir, { recursive: true });
});
