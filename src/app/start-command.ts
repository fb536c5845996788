// Starts a program that waits at a gate before its first instruction: setpriv gives up root, a shell waits for a line on
// descriptor 3, then becomes the program (same pid all along). So the tracer can hook everything first, and the program
// never runs with the tracer's rights.

import { type ChildProcess, spawn } from 'node:child_process';
import { TracerError } from '../errors.ts';
import { homeOf, type Identity } from './identity.ts';
import { noTool } from './no-tool.ts';
import { inheritedMask } from './private-umask.ts';

/** A started program. */
export interface StartedCommand {
  readonly pid: number;
  /** Opens the gate. */
  release(): void;
  /** Ends a program that is still waiting at the gate; one that runs is left alone. */
  abandon(): void;
  /** Exit code as a shell reports it (128 + signal number for a signal). */
  readonly exited: Promise<number>;
}

/** `read` ends the shell when the tracer dies before it opens the gate: the program is then never started. */
const gateScript = (): string => `umask ${inheritedMask()}; read -r go <&3 || exit 125; exec 3<&-; exec "$@"`;

/**
 * sudo's own variables go, and our credentials; those that name the user become the user's: programs look for their
 * settings there.
 */
function environmentOf(user: Identity, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !/^(?:SUDO|TRACER)_/.test(name));
  const { home, shell } = homeOf(user.uid);
  return { ...Object.fromEntries(kept), HOME: home, SHELL: shell, USER: user.name, LOGNAME: user.name };
}

function becomeUser(user: Identity): readonly string[] {
  const groups = user.groups.length > 0 ? `--groups=${user.groups.join(',')}` : '--clear-groups';
  return ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, groups, '--inh-caps=-all', '--'];
}

const exitOf = (child: ChildProcess): Promise<number> =>
  new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? 128 + (SIGNAL_NUMBERS[signal ?? ''] ?? 0)));
  });

/** Those that end programs commonly; others are reported as 128. */
const SIGNAL_NUMBERS: Readonly<Record<string, number>> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGSEGV: 11, SIGTERM: 15 };

/** What could not be started is setpriv, not yet the program. */
const notStarted = (cause: Error, command: string, user: Identity): TracerError =>
  noTool(cause, 'setpriv') ??
  new TracerError('E_TARGET_COMMAND', { command, reason: cause.message, user: user.name }, { cause });

/**
 * Starts `words` at the gate. `keepStdout` leaves standard output to the program; otherwise it goes to standard error.
 * Throws E_PLACE_NO_TOOL or E_TARGET_COMMAND when nothing can be started at all (a program that is not found exits with 127 after release).
 */
export async function startCommand(
  words: readonly string[],
  user: Identity,
  keepStdout: boolean,
): Promise<StartedCommand> {
  const [file = '', ...args] = [...becomeUser(user), '/bin/sh', '-c', gateScript(), 'tracer', ...words];
  const child = spawn(file, args, {
    stdio: ['inherit', keepStdout ? 'inherit' : 2, 'inherit', 'pipe'],
    env: environmentOf(user, process.env),
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (cause) => reject(notStarted(cause, words[0] ?? '', user)));
  });
  const gate = child.stdio[3];
  if (child.pid === undefined || gate === null || gate === undefined || !('end' in gate)) {
    throw new Error('a spawned child has a pid and the pipe that was asked for');
  }
  // A program that outlives the tracing must not keep the tracer.
  child.unref();
  return {
    pid: child.pid,
    release: () => gate.end('go\n'),
    abandon: () => gate.end(),
    exited: exitOf(child),
  };
}
