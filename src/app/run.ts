// `tracer run`: a live session over a program that is started for it, traced from its first byte.

import { setTimeout } from 'node:timers/promises';
import { findFile, findProgram, requireChecks } from '../capture/index.ts';
import { TracerError } from '../errors.ts';
import { chooseIdentity } from './identity.ts';
import { runLive } from './live.ts';
import { type StartedCommand, startCommand } from './start-command.ts';
import type { CaptureSettings, SessionResult } from './types.ts';

export interface RunSettings extends CaptureSettings {
  readonly command: string;
  /** The program and its arguments. */
  readonly words: readonly string[];
  /** Leave standard output to the program (the tracer's lines go to a file). */
  readonly keepStdout: boolean;
}

/** The program runs as the invoking user; called by root itself, as root: it is root's own program. */
export async function run(settings: RunSettings): Promise<SessionResult> {
  requireChecks(settings);
  requireProgram(settings);
  const tracer = chooseIdentity({ user: settings.user }, process.env, settings.command);
  const owner = chooseIdentity(
    { user: settings.user ?? process.env['SUDO_UID'] ?? '0' },
    process.env,
    settings.command,
  );
  const program = await startCommand(settings.words, owner, settings.keepStdout);
  let isReleased = false;
  try {
    return await runLive(
      settings,
      {
        pids: [program.pid],
        wait: true,
        programs: settings.words.slice(0, 1),
        onAttached: () => {
          isReleased = true;
          program.release();
        },
      },
      tracer,
    );
  } finally {
    if (!isReleased) program.abandon();
    else if (!(await hasEnded(program))) settings.log.info(`tracing has ended, pid ${program.pid} goes on`);
  }
}

/** Before anything is attached: a program that is not there, or is none, is a mistake on the command line. */
function requireProgram({ words }: RunSettings): void {
  const [command = ''] = words;
  const path = process.env['PATH'] ?? '';
  if (findProgram(command, path) !== null) return;
  const isPath = command.includes('/');
  const found = findFile(command, path);
  if (found !== null) {
    const name = isPath ? 'it' : found.path;
    const reason = `${name} is ${found.isDirectory ? 'a directory' : 'not executable'}`;
    throw new TracerError('E_TARGET_NOT_EXECUTABLE', { command, reason });
  }
  throw new TracerError('E_TARGET_NO_PROGRAM', {
    command,
    reason: isPath ? 'there is no such file' : 'not found in PATH',
  });
}

/** The kernel tells the tracer of an exit a moment before Node hears of it as the parent. */
const EXIT_HEARD_MS = 200;

const hasEnded = (program: StartedCommand): Promise<boolean> =>
  Promise.race([program.exited.then(() => true), setTimeout(EXIT_HEARD_MS, false)]);
