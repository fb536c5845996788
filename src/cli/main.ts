// The command line: the table of commands, and the one place where errors become text and exit codes.

import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command, CommanderError } from 'commander';
import { makeFilesPrivate, provideUnlock, toolVersion } from '../app/index.ts';
import { EXIT, TracerError } from '../errors.ts';
import { addAttach } from './attach.ts';
import { addAudit } from './audit.ts';
import { addAuditStore } from './audit-store.ts';
import { addCache } from './cache.ts';
import { addCollect } from './collect.ts';
import { addCompare } from './compare.ts';
import { addContext } from './context.ts';
import { addConversations } from './conversations.ts';
import { addCurl } from './curl.ts';
import { addCut } from './cut.ts';
import { addDoctor } from './doctor.ts';
import { addExport } from './export.ts';
import { addFind } from './find.ts';
import { addInfo } from './info.ts';
import { reportError } from './log.ts';
import { addModels } from './models.ts';
import { addOverwriteOption, refuseOverwriting } from './overwriting.ts';
import { unlock } from './passphrase.ts';
import { addPs } from './ps.ts';
import { addReplay } from './replay.ts';
import { addReport } from './report.ts';
import { addRun } from './run.ts';
import { addScrub } from './scrub.ts';
import { addShow } from './show.ts';
import { addTail } from './tail.ts';

/** In the order of the help text: what people look for first comes first. */
const COMMANDS = [
  addAttach,
  addRun,
  addReplay,
  addConversations,
  addShow,
  addModels,
  addReport,
  addContext,
  addCache,
  addFind,
  addCompare,
  addAudit,
  addAuditStore,
  addInfo,
  addCut,
  addScrub,
  addExport,
  addCurl,
  addTail,
  addCollect,
  addPs,
  addDoctor,
];

export function createProgram(): Command {
  const program = new Command('tracer')
    .description(
      'See what GitHub Copilot and other LLM clients send and receive: no proxy, no certificate, no restart.',
    )
    .version(toolVersion(), '-V, --version')
    // Errors are said in one place, and in one form.
    .configureOutput({ outputError: () => {} })
    .exitOverride()
    .hook('preAction', (_, command) => refuseOverwriting(command));
  for (const add of COMMANDS) add(program);
  for (const command of program.commands) {
    addOverwriteOption(command);
    command.exitOverride();
  }
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

export async function main(argv: readonly string[]): Promise<void> {
  makeFilesPrivate();
  provideUnlock(unlock);
  process.on('uncaughtException', reportCrash);
  process.on('unhandledRejection', reportCrash);
  // `| head` closes the pipe when it has seen enough: that is no failure of ours.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? EXIT.ok);
    reportCrash(error);
  });
  try {
    await createProgram().parseAsync(argv);
  } catch (error) {
    process.exitCode = report(error, argv);
  }
}

const entry = process.argv[1];
if (entry !== undefined && realpathSync(entry) === fileURLToPath(import.meta.url)) await main(process.argv);
