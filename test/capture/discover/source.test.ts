import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bytesSource, openFileSource, openForeignFile } from '../../../src/capture/discover/source.ts';

const directory = mkdtempSync(join(tmpdir(), 'tracer-source-'));
afterAll(() => rmSync(directory, { recursive: true }));

describe('random access to a program file', () => {
  it('reads where it is told, less at the end, nothing behind it', () => {
    const path = join(directory, 'a');
    writeFileSync(path, '0123456789');
    const source = openFileSource(path);
    if (!source.ok) throw new Error(source.detail);
    for (const s of [source.value, bytesSource(Buffer.from('0123456789'))]) {
      const into = new Uint8Array(4);
      expect([s.sizeBytes, s.read(3, into), Buffer.from(into).toString()]).toEqual([10, 4, '3456']);
      expect([s.read(8, into), Buffer.from(into.subarray(0, 2)).toString()]).toEqual([2, '89']);
      expect(s.read(50, into)).toBe(0);
    }
    truncateSync(path, 5);
    expect(source.value.read(3, new Uint8Array(4))).toBe(2);
    source.value.close();
  });

  it('says why a file cannot be opened', () => {
    expect(openFileSource(join(directory, 'none'))).toMatchObject({ ok: false, why: 'gone' });
  });

  it('opens what a foreign name leads to only if that is a regular file', () => {
    const [file, link, pipe] = ['b', 'link', 'pipe'].map((name) => join(directory, name));
    writeFileSync(file!, 'foreign');
    symlinkSync(file!, link!);
    execFileSync('mkfifo', [pipe!]);
    const source = openForeignFile(link!);
    if (!source.ok) throw new Error(source.detail);
    expect([source.value.sizeBytes, source.value.path]).toEqual([7, link]);
    source.value.close();
    for (const path of [pipe!, '/dev/null', directory]) {
      expect(openForeignFile(path)).toEqual({ ok: false, why: 'broken', detail: `${path}: not a regular file` });
    }
    expect(openForeignFile(join(directory, 'none'))).toMatchObject({ ok: false, why: 'gone' });
  });

  it('shows a directory as empty instead of throwing', () => {
    const source = openFileSource(directory);
    if (!source.ok) throw new Error(source.detail);
    expect(source.value.sizeBytes).toBe(0);
    expect(source.value.read(0, new Uint8Array(4))).toBe(0);
    source.value.close();
  });
});
