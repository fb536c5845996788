import { expect, test } from 'vitest';
import type { TlsImage } from '../../../src/capture/discover/process.ts';
import { namesTls, SystemLibraries } from '../../../src/capture/live/system-libraries.ts';
import { startSleeper } from '../../kit/running.ts';

test('libssl and libcurl in a header mean TLS soon; other names do not', () => {
  expect(namesTls(['libc.so.6', 'libssl.so.3'])).toBe(true);
  expect(namesTls(['libcurl.so.4'])).toBe(true);
  expect(namesTls(['libcurl-gnutls.so.4'])).toBe(true);
  expect(namesTls(['libsslcommon.so', 'libc.so.6'])).toBe(false);
  expect(namesTls([])).toBe(false);
});

test('a program without such a name expects none, and neither does a process that has gone', async () => {
  const images = [{} as TlsImage];
  using child = await startSleeper();
  expect(new SystemLibraries(images).expectedIn(child.pid)).toEqual([]);
  expect(new SystemLibraries(images).expectedIn(4_194_305)).toEqual([]);
});
