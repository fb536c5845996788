import { closeSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTextOutput } from '../../src/app/text-output.ts';

const scratch = (): string => join(mkdtempSync(join(tmpdir(), 'tracer-output-')), 'out');

test('text arrives whole and in order, however much is written at once', async () => {
  const path = scratch();
  const fd = openSync(path, 'w');
  const output = openTextOutput(fd, () => expect.fail('no error expected'));
  const lines = Array.from({ length: 20_000 }, (_, i) => `line ${i} ${'é'.repeat(i % 200)}\n`);
  for (const line of lines) output.write(line);
  await output.below(0);
  closeSync(fd);
  expect(readFileSync(path, 'utf8')).toBe(lines.join(''));
  expect(output.backlogBytes()).toBe(0);
});

test('the backlog counts bytes, not characters, and falls as they are written', async () => {
  const fd = openSync(scratch(), 'w');
  const output = openTextOutput(fd, () => {});
  output.write('é');
  expect(output.backlogBytes()).toBe(2);
  await output.below(1);
  expect(output.backlogBytes()).toBe(0);
  closeSync(fd);
});

test('a full disk is reported once; what is written later is discarded and nobody waits for it', async () => {
  const fd = openSync('/dev/full', 'w');
  const errors: string[] = [];
  const output = openTextOutput(fd, (error) => errors.push(String(error.code)));
  output.write('lost');
  await output.below(0);
  output.write('lost too');
  await output.below(0);
  expect(errors).toEqual(['ENOSPC']);
  expect(output.error()?.code).toBe('ENOSPC');
  closeSync(fd);
});
