import { mkdtempSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openOutput } from '../../src/app/output.ts';
import type { OutputSettings } from '../../src/app/types.ts';
import type { LossEvent } from '../../src/model/index.ts';
import { HANG_MS } from '../kit/hang.ts';

const loss: LossEvent = { type: 'loss', time: '2026-01-01T00:00:00.000Z', tsNs: '1', bytes: 3, cause: 'test' };
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const settings = (over: Partial<OutputSettings>): OutputSettings => ({
  command: 'replay',
  format: 'ndjson',
  outputFile: undefined,
  verbose: false,
  color: false,
  columns: undefined,
  reveal: false,
  log,
  stop: new AbortController().signal,
  ...over,
});

test('events go to the named file, which only its owner may read', async () => {
  const outputFile = join(mkdtempSync(join(tmpdir(), 'tracer-out-')), 'a.ndjson');
  const sink = await openOutput(settings({ outputFile }), 'me', () => expect.fail('no error expected'));
  sink.accept(loss);
  await sink.flush(HANG_MS);
  await sink.close();
  expect(JSON.parse(readFileSync(outputFile, 'utf8'))).toEqual(loss);
  expect(statSync(outputFile).mode & 0o777).toBe(0o600);
});

test('a symbolic link is not followed', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'tracer-out-'));
  symlinkSync(join(dir, 'target'), join(dir, 'link'));
  await expect(openOutput(settings({ outputFile: join(dir, 'link') }), 'me', () => {})).rejects.toMatchObject({
    code: 'E_FILE_UNWRITABLE',
  });
});

test('flushing does not wait for ever for an output that is stuck', async () => {
  const errors: string[] = [];
  const sink = await openOutput(settings({ outputFile: '/dev/full' }), 'me', (error) =>
    errors.push(String(error.code)),
  );
  sink.accept(loss);
  await sink.flush(HANG_MS);
  expect(errors).toEqual(['ENOSPC']);
  await sink.close();
});
