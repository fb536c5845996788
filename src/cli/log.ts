// Messages for people, on standard error, never mixed into the events on standard output: what happens on the way, and the
// error that ends a run. On a terminal they are plain lines; elsewhere each is one of pino's JSON lines, which log
// collectors read.

import { destination, pino } from 'pino';
import type { Log } from '../app/index.ts';
import { safeText } from '../app/start.ts';
import { EXIT, TracerError } from '../errors.ts';
import type { LogFlags } from './options.ts';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
type Level = (typeof LEVELS)[number];

const plain = (level: Level, text: string): string =>
  level === 'info' ? `tracer: ${text}\n` : `tracer: ${level}: ${text}\n`;

function plainLog(threshold: LogFlags['logLevel']): Log {
  const least = threshold === 'silent' ? LEVELS.length : LEVELS.indexOf(threshold);
  const at = (level: Level) => (text: string) => {
    if (LEVELS.indexOf(level) >= least) process.stderr.write(plain(level, safeText(text)));
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

const jsonLogger = (level: string) => pino({ name: 'tracer', level }, destination({ fd: 2, sync: true }));

function jsonLog(threshold: LogFlags['logLevel']): Log {
  const logger = jsonLogger(threshold);
  const at = (level: Level) => (text: string) => logger[level](safeText(text));
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** An error that a user can meet, in both forms; a bug shows its stack. */
function partsOf(error: unknown): { readonly lines: readonly string[]; readonly fields: object } {
  if (error instanceof TracerError) {
    const { message, hint, code, exitCode } = error;
    return { lines: [message, `  ${hint}`], fields: { code, exitCode, msg: message, hint } };
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const msg = 'this is a bug, please report it';
  return { lines: [`${msg}:`, stack], fields: { exitCode: EXIT.bug, msg, stack } };
}

/** Says what ended the run, or what it was not able to do. */
export function reportError(error: unknown): void {
  const { lines, fields } = partsOf(error);
  if (process.stderr.isTTY) process.stderr.write(safeText(`tracer: ${lines.join('\n')}\n`));
  else {
    const texts = Object.entries(fields).map(([key, value]) => [
      key,
      typeof value === 'string' ? safeText(value) : value,
    ]);
    jsonLogger('fatal').fatal(Object.fromEntries(texts));
  }
}

/** The same for what a run says at its end, if messages are wanted. */
export function reportProblem(problem: TracerError | null, { logLevel }: LogFlags): void {
  if (problem !== null && logLevel !== 'silent') reportError(problem);
}

export function createLog(threshold: LogFlags['logLevel']): Log {
  return process.stderr.isTTY ? plainLog(threshold) : jsonLog(threshold);
}

/** `--reveal` is for one's own eyes: whoever gets the output gets the secrets. */
export function warnIfRevealed(log: Log, reveal: true | undefined): void {
  if (reveal === true) log.warn('--reveal: secrets are shown as they are; keep this output to yourself');
}
