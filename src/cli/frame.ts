// What every command stands in: the program's name, version and help, and the one place where errors become text and exit
// codes. Loads only what the quickest command needs.

import { Command, CommanderError } from 'commander';
import { makeFilesPrivate, toolVersion } from '../app/start.ts';
import { EXIT, TracerError } from '../errors.ts';
import { reportError } from './log.ts';

/** The program with these commands. */
export function createFrame(commands: readonly ((program: Command) => void)[]): Command {
  const program = new Command('tracer')
    .description(
      'See what GitHub Copilot and other LLM clients send and receive: no proxy, no certificate, no restart.',
    )
    .version(toolVersion(), '-V, --version')
    // Errors are said in one place, and in one form.
    .configureOutput({ outputError: () => {} })
    .exitOverride();
  for (const add of commands) add(program);
  for (const command of program.commands) command.exitOverride();
  return program;
}

/** Help and version end a run this way, too; they have printed what was asked for. */
const hasPrinted = ({ code }: CommanderError): boolean => /^commander\.(help|helpDisplayed|version)$/.test(code);

/** What commander found wrong with the command line, as an error of ours. */
function usageError({ message, code }: CommanderError, argv: readonly string[]): TracerError {
  const name = code === 'commander.unknownCommand' ? undefined : argv.slice(2).find((text) => !text.startsWith('-'));
  const what = message.replace(/^error: /, '').replaceAll('\n', ' ');
  return new TracerError('E_CLI_USAGE', { what, command: name ?? 'COMMAND' });
}

/** Says what is to be said of an error; the exit code. */
function report(error: unknown, argv: readonly string[]): number {
  if (error instanceof CommanderError) {
    if (hasPrinted(error)) return error.exitCode === 0 ? EXIT.ok : EXIT.use;
    return report(usageError(error, argv), argv);
  }
  reportError(error);
  return error instanceof TracerError ? error.exitCode : EXIT.bug;
}

/** A throw that no caller waits for: Node would print it with what it quotes. */
function reportCrash(error: unknown): never {
  process.exit(report(error, []));
}

/** Runs what `create` gives, to its end. */
export async function runProgram(create: () => Command | Promise<Command>, argv: readonly string[]): Promise<void> {
  makeFilesPrivate();
  process.on('uncaughtException', reportCrash);
  process.on('unhandledRejection', reportCrash);
  // `| head` closes the pipe when it has seen enough: that is no failure of ours.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? EXIT.ok);
    reportCrash(error);
  });
  try {
    await (await create()).parseAsync(argv);
  } catch (error) {
    process.exitCode = report(error, argv);
  }
}
