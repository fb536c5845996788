// The command line: the table of commands, and the one place where errors become text and exit codes.

import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command, CommanderError } from 'commander';
import { makeFilesPrivate, provideUnlock, safeText, toolVersion } from '../app/index.ts';
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
import { addModels } from './models.ts';
import { refuseOverwriting } from './overwriting.ts';
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
    .showHelpAfterError('(run with --help for the options)')
    .exitOverride()
    .hook('preAction', (_, command) => refuseOverwriting(command));
  for (const add of COMMANDS) add(program);
  for (const command of program.commands)
    command.exitOverride().showHelpAfterError('(run with --help for the options)');
  return program;
}

/** Text for standard error and the exit code. A bug shows its stack and asks for a report. */
function report(error: unknown): { readonly text: string; readonly exitCode: number } {
  if (error instanceof CommanderError) return { text: '', exitCode: error.exitCode === 0 ? EXIT.ok : EXIT.use };
  if (error instanceof TracerError) {
    return { text: safeText(`tracer: ${error.message}\n  ${error.hint}\n`), exitCode: error.exitCode };
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { text: safeText(`tracer: this is a bug, please report it:\n${stack}\n`), exitCode: EXIT.bug };
}

/** A throw that no caller waits for: Node would print it with what it quotes. */
function reportCrash(error: unknown): never {
  const { text, exitCode } = report(error);
  process.stderr.write(text);
  process.exit(exitCode);
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
    const { text, exitCode } = report(error);
    process.stderr.write(text);
    process.exitCode = exitCode;
  }
}

const entry = process.argv[1];
if (entry !== undefined && realpathSync(entry) === fileURLToPath(import.meta.url)) await main(process.argv);
