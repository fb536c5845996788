// Messages for people, on standard error, never mixed into the events on standard output. On a terminal they are plain
// lines; elsewhere pino's JSON lines, which log collectors read.

import { destination, pino } from 'pino';
import { type Log, safeText } from '../app/index.ts';
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

function jsonLog(threshold: LogFlags['logLevel']): Log {
  const logger = pino({ name: 'tracer', level: threshold }, destination({ fd: 2, sync: true }));
  const at = (level: Level) => (text: string) => logger[level](safeText(text));
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

export function createLog(threshold: LogFlags['logLevel']): Log {
  return process.stderr.isTTY ? plainLog(threshold) : jsonLog(threshold);
}

/** `--reveal` is for one's own eyes: whoever gets the output gets the secrets. */
export function warnIfRevealed(log: Log, reveal: true | undefined): void {
  if (reveal === true) log.warn('--reveal: secrets are shown as they are; keep this output to yourself');
}
