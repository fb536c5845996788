import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authenticatorFor, tlsFilesOf } from '../../../src/sinks/nats/login.ts';

let dir = '';
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'login-'));
});
afterAll(() => rmSync(dir, { recursive: true }));

function file(name: string, text: string, mode = 0o600): string {
  const path = join(dir, name);
  writeFileSync(path, text, { mode });
  return path;
}

const URLS = { urls: ['nats://bus'] };

test('a login file holds user and password, or a token', () => {
  expect(authenticatorFor({ ...URLS, loginFile: file('two', 'ada\ns3cret\n') }, {})?.()).toEqual({
    user: 'ada',
    pass: 's3cret',
  });
  expect(authenticatorFor({ ...URLS, loginFile: file('one', 't0ken\n') }, {})?.()).toEqual({ auth_token: 't0ken' });
});

test('the environment is asked when no file is named', () => {
  expect(authenticatorFor(URLS, { TRACER_NATS_USER: 'ada', TRACER_NATS_PASSWORD: 'p' })?.()).toEqual({
    user: 'ada',
    pass: 'p',
  });
  expect(authenticatorFor(URLS, { TRACER_NATS_TOKEN: 't' })?.()).toEqual({ auth_token: 't' });
  expect(authenticatorFor(URLS, {})).toBeNull();
});

test('a secret that others can read, or that is not there, is refused', () => {
  const [open, absent] = [file('open', 'ada\np', 0o644), join(dir, 'absent')];
  for (const loginFile of [open, absent]) {
    expect(() => authenticatorFor({ ...URLS, loginFile }, {})).toThrow(
      expect.objectContaining({ code: 'E_NATS_FILE' }),
    );
  }
  expect(() => tlsFilesOf({ ...URLS, keyFile: file('key', 'k', 0o640) })).toThrow(/others can read it/);
});

test('certificates are public, keys are not', () => {
  expect(tlsFilesOf({ ...URLS, caFile: file('ca', 'CA', 0o644), keyFile: file('private', 'KEY') })).toEqual({
    ca: 'CA',
    key: 'KEY',
  });
  expect(tlsFilesOf(URLS)).toBeNull();
});
