import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ERRORS, type ErrorCode, EXIT, readingReason, TracerError } from '../src/errors.ts';

const CODES = Object.keys(ERRORS) as ErrorCode[];

/** The promise to scripts: a code never changes its exit code. */
const EXITS: Readonly<Record<ErrorCode, number>> = {
  E_CLI_USAGE: 2,
  E_TARGET_NO_SUCH_PID: 10,
  E_TARGET_EXITED: 11,
  E_TARGET_KERNEL_THREAD: 12,
  E_TARGET_NO_TLS: 13,
  E_TARGET_NOT_HOOKABLE: 14,
  E_TARGET_TRACED: 15,
  E_TARGET_COMMAND: 16,
  E_TARGET_NO_MATCH: 17,
  E_TARGET_CHOOSE: 18,
  E_TARGET_NO_CLIENT: 19,
  E_TARGET_SYMBOLS: 65,
  E_TARGET_OFFSET: 64,
  E_PLACE_RIGHTS: 20,
  E_PLACE_NO_BTF: 21,
  E_PLACE_OLD_KERNEL: 22,
  E_PLACE_NOT_BUILT: 23,
  E_PLACE_LOAD: 24,
  E_PLACE_NO_TOOL: 25,
  E_FILE_UNWRITABLE: 30,
  E_FILE_FULL: 31,
  E_EXPORT_FULL: 32,
  E_EXPORT_REFUSED: 33,
  E_OTLP_ADDRESS: 37,
  E_METRICS_LISTEN: 34,
  E_METRICS_TOKEN: 35,
  E_FILE_EXISTS: 36,
  E_RECORDING_UNREADABLE: 40,
  E_RECORDING_CORRUPT: 41,
  E_RECORDING_NEWER: 42,
  E_RECORDING_SAME: 43,
  E_RECORDING_NO_CALL: 44,
  E_RECORDING_NOTHING: 45,
  E_RECORDING_LOCKED: 46,
  E_STORE_NONE: 50,
  E_STORE_UNREADABLE: 51,
  E_RULES_UNREADABLE: 60,
  E_RULES_INVALID: 61,
  E_PRICES_INVALID: 62,
  E_FIND_UNREADABLE: 63,
  E_LOG_UNREADABLE: 66,
  E_NATS_URL: 70,
  E_NATS_FILE: 71,
  E_NATS_REFUSED: 72,
  E_NATS_STREAM: 73,
  E_NATS_SPOOL: 74,
  E_NATS_UNREACHABLE: 75,
  E_FILTER_INVALID: 80,
  E_TARGET_NOT_EXECUTABLE: 126,
  E_TARGET_NO_PROGRAM: 127,
};

test.each(CODES)('%s keeps its exit code and tells what to do', (code) => {
  expect(ERRORS[code].exit).toBe(EXITS[code]);
  expect(ERRORS[code].hint).toMatch(/^[A-Z][a-z]+ .*[.]$/);
});

test('no two errors share an exit code, and none takes that of success, a bug or an incomplete capture', () => {
  const exits = CODES.map((code) => ERRORS[code].exit);
  expect(new Set(exits).size).toBe(exits.length);
  for (const taken of [EXIT.ok, EXIT.bug, EXIT.incomplete]) expect(exits).not.toContain(taken);
});

test('fields fill text and hint; a field that was not given stays visible', () => {
  const error = new TracerError('E_TARGET_COMMAND', { command: 'agent', reason: 'ENOENT' });
  expect(error.message).toBe('cannot start agent: ENOENT');
  expect(error.hint).toBe('Check the name and that the user {user} may execute it.');
});

test('the cause is kept', () => {
  const cause = new Error('below');
  expect(new TracerError('E_PLACE_LOAD', { reason: 'x' }, { cause }).cause).toBe(cause);
});

test('why a file cannot be read is said in words', () => {
  const why = (path: string) => {
    try {
      return readFileSync(path, 'utf8');
    } catch (cause) {
      return readingReason(cause);
    }
  };
  expect(['/nowhere', '/etc/passwd/below', '/'].map(why)).toEqual([
    'there is no such file',
    'there is no such file',
    'it is a directory',
  ]);
  expect(readingReason(Object.assign(new Error('no device'), { code: 'ENXIO' }))).toBe('ENXIO');
  expect(readingReason(new Error('others can read it'))).toBe('others can read it');
});
