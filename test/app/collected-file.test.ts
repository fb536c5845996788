import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { mendCollected } from '../../src/app/collected-file.ts';

const dir = mkdtempSync(join(tmpdir(), 'collected-'));
afterAll(() => rmSync(dir, { recursive: true }));

const line = (seq: number | null, padding = ''): string =>
  `${JSON.stringify({ type: 'call', padding, origin: { host: 'h', user: 'u', session: 's', seq } })}\n`;

function mended(text: string): [ReturnType<typeof mendCollected>, string] {
  const path = join(dir, 'file.ndjson');
  writeFileSync(path, text);
  return [mendCollected(path), readFileSync(path, 'utf8')];
}

test('the last numbered event tells where to go on', () => {
  const text = line(1) + line(2) + line(null);
  expect(mended(text)).toEqual([{ session: 's', seq: 2 }, text]);
});

test('a torn line goes', () => {
  expect(mended(`${line(1)}{"type":"ca`)).toEqual([{ session: 's', seq: 1 }, line(1)]);
  expect(mended('{"type":"ca')).toEqual([null, '']);
  expect(mended('')).toEqual([null, '']);
});

test('lines longer than a look at the end are found', () => {
  const text = line(1) + line(2, 'ä'.repeat(200_000)) + line(null, 'x'.repeat(100_000));
  expect(mended(`${text}{"torn":"${'y'.repeat(100_000)}`)).toEqual([{ session: 's', seq: 2 }, text]);
});
