import { expect, test } from 'vitest';
import { isAtLeast, kernelVersion, runChecks } from '../../../src/capture/live/checks.ts';

test('kernel releases of all distributions are understood', () => {
  expect(kernelVersion('6.18.44-fc-v669')).toEqual([6, 18]);
  expect(kernelVersion('5.8.0-63-generic')).toEqual([5, 8]);
  expect(kernelVersion('4.18.0-553.el8_10.x86_64')).toEqual([4, 18]);
});

test('5.8 is the oldest kernel, and minor versions are numbers', () => {
  expect(isAtLeast([5, 8], [5, 8])).toBe(true);
  expect(isAtLeast([5, 10], [5, 8])).toBe(true);
  expect(isAtLeast([5, 7], [5, 8])).toBe(false);
  expect(isAtLeast([4, 20], [5, 8])).toBe(false);
});

test('what is missing comes with the error that a start-up throws', () => {
  for (const check of runChecks({ command: 'attach', followChildren: true })) {
    if (!check.ok && !check.optional) expect(check.error?.hint).toMatch(/^[A-Z]\w+ /);
    if (check.ok) expect(check.error).toBeNull();
  }
});

test('without root the missing capabilities are named', () => {
  const rights = runChecks({ command: 'attach', followChildren: true }).find((check) => check.name === 'rights');
  if (process.getuid?.() === 0) expect(rights?.ok).toBe(true);
  else expect(rights?.error).toMatchObject({ code: 'E_PLACE_RIGHTS', message: expect.stringContaining('CAP_BPF') });
});
