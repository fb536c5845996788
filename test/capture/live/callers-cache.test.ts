import { chmodSync, mkdtempSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readImage } from '../../../src/capture/discover/image.ts';
import { openFileSource } from '../../../src/capture/discover/source.ts';
import { openCallersCache } from '../../../src/capture/live/callers-cache.ts';

const isRoot = process.getuid?.() === 0;
const nobody = { uid: 65_534, gid: 65_534 };

/** Node's own binary: large enough to be worth a cache entry. */
function program() {
  const source = openFileSource(process.execPath);
  if (!source.ok) throw new Error(source.detail);
  const answer = readImage(source.value);
  if (!answer.ok) throw new Error(answer.why);
  return answer.image.elf;
}

test.skipIf(!isRoot)('entries are written with the caller’s rights, not with root’s', () => {
  const open = mkdtempSync(join(tmpdir(), 'tracer-cache-'));
  chmodSync(open, 0o777);
  const directory = join(open, 'discovery');
  const cache = openCallersCache({ directory, owner: nobody });
  cache.put(program(), { findings: [] });
  expect(statSync(directory).uid).toBe(nobody.uid);
  expect(readdirSync(directory).map((name) => statSync(join(directory, name)).uid)).toEqual([nobody.uid]);
  expect(cache.get(program())).toEqual({ findings: [] });
  expect(process.geteuid?.()).toBe(0);
});

test.skipIf(!isRoot)('a directory that the caller may not write stays empty, and nothing fails', () => {
  const closed = mkdtempSync(join(tmpdir(), 'tracer-cache-'));
  const cache = openCallersCache({ directory: join(closed, 'discovery'), owner: nobody });
  cache.put(program(), { findings: [] });
  expect(readdirSync(closed)).toEqual([]);
  expect(process.getegid?.()).toBe(0);
});
