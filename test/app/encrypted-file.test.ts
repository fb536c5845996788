// Recordings that are encrypted while they are made: nothing readable on the disk, read back with the right key only.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterAll, afterEach, expect, it } from 'vitest';
import { createEncrypter, openRecordingFile } from '../../src/app/encrypted-file.ts';
import { analyse, provideUnlock, type Unlock } from '../../src/app/index.ts';
import { leakySession } from './audit/session.ts';

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const LOCKED: Unlock = { passphrase: async () => null, identities: async () => [] };
const dir = mkdtempSync(join(tmpdir(), 'tracer-age-'));
const plain = readFileSync(leakySession(join(dir, 'plain.trc')));
afterAll(() => rmSync(dir, { recursive: true }));
afterEach(() => provideUnlock(LOCKED));

async function encrypted(
  encryption: Parameters<typeof createEncrypter>[0],
  bytes: Uint8Array = plain,
): Promise<string> {
  const path = join(dir, 'secret.trc');
  const file = openRecordingFile(path, 'me', createEncrypter(encryption, 'attach'));
  for (let at = 0; at < bytes.length; at += 1000) await file.write(bytes.subarray(at, at + 1000));
  await file.close();
  return path;
}

const callsIn = async (path: string): Promise<string[]> => {
  const ids: string[] = [];
  const settings = { reveal: false, key: new Uint8Array(32), log: quiet, stop: new AbortController().signal };
  await analyse(path, settings, { call: ({ event }: { event: { id: string } }) => void ids.push(event.id) });
  return ids;
};

it('a passphrase opens it, and shows the same calls', async () => {
  const path = await encrypted({ passphrase: 'correct horse' });
  const bytes = readFileSync(path);
  expect([statSync(path).mode & 0o777, bytes.subarray(0, 21).toString()]).toEqual([0o600, 'age-encryption.org/v1']);
  expect(['githubcopilot', 'ghp_', 'TRC'].filter((text) => bytes.includes(text))).toEqual([]);
  provideUnlock({ ...LOCKED, passphrase: async () => 'correct horse' });
  expect(await callsIn(path)).toEqual(await callsIn(join(dir, 'plain.trc')));
});

it('a key opens what was made for its recipient', async () => {
  const identity = await generateX25519Identity();
  const path = await encrypted({ recipient: await identityToRecipient(identity) });
  provideUnlock({ ...LOCKED, identities: async () => [identity] });
  expect((await callsIn(path)).length).toBe(6);
});

it('a wrong passphrase, or none, opens nothing', async () => {
  const path = await encrypted({ passphrase: 'correct horse' });
  await expect(callsIn(path)).rejects.toMatchObject({ code: 'E_RECORDING_LOCKED' });
  provideUnlock({ ...LOCKED, passphrase: async () => 'wrong' });
  await expect(callsIn(path)).rejects.toMatchObject({ code: 'E_RECORDING_LOCKED' });
});

it('a file that was cut or changed is read up to there', async () => {
  const large = Buffer.concat([plain, Buffer.alloc(200_000)]);
  const path = await encrypted({ passphrase: 'p' }, large);
  provideUnlock({ ...LOCKED, passphrase: async () => 'p' });
  writeFileSync(path, readFileSync(path).subarray(0, 150_000));
  expect((await callsIn(path)).length).toBe(6);
});

it('refuses what is no recipient', () => {
  expect(() => createEncrypter({ recipient: 'age1nonsense' }, 'attach')).toThrow(/age recipient/);
});
