import { afterEach, expect, test, vi } from 'vitest';
import { createLog, reportError, reportProblem } from '../../src/cli/log.ts';
import { TracerError } from '../../src/errors.ts';

const isTTY = Object.getOwnPropertyDescriptor(process.stderr, 'isTTY');

function onTerminal(): string[] {
  Object.defineProperty(process.stderr, 'isTTY', { value: true, configurable: true });
  const lines: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    lines.push(String(text));
    return true;
  });
  return lines;
}

afterEach(() => {
  vi.restoreAllMocks();
  if (isTTY === undefined) Reflect.deleteProperty(process.stderr, 'isTTY');
  else Object.defineProperty(process.stderr, 'isTTY', isTTY);
});

test('on a terminal a message is a plain line, and says its level when it is not just information', () => {
  const lines = onTerminal();
  const log = createLog('info');
  log.info('attached');
  log.warn('slow');
  expect(lines).toEqual(['tracer: attached\n', 'tracer: warn: slow\n']);
});

test('messages below the level are left out, silent leaves out all', () => {
  const lines = onTerminal();
  createLog('warn').info('not shown');
  createLog('silent').error('not shown');
  createLog('debug').debug('shown');
  expect(lines).toEqual(['tracer: debug: shown\n']);
});

test('an error is one line with what happened and one with what to do; a bug shows its stack', () => {
  const lines = onTerminal();
  const error = new TracerError('E_FILE_EXISTS', { path: 'a.trc' });
  reportError(error);
  reportProblem(error, { logLevel: 'silent' });
  reportProblem(null, { logLevel: 'info' });
  reportError(new Error('broken'));
  expect(lines).toEqual([
    'tracer: a.trc exists already and would be written over\n  Choose another name, or add --overwrite.\n',
    expect.stringMatching(/^tracer: this is a bug, please report it:\nError: broken\n {4}at /),
  ]);
});
