// `tracer audit-store`: secrets in the editor's own record of chats.

import type { Command } from 'commander';
import { Option } from 'commander';
import { auditStore, safeJson, storesText, writeAnswer } from '../app/index.ts';
import { createLog } from './log.ts';
import { addLogOption, type LogFlags } from './options.ts';
import { stopOnSignals } from './run-capture.ts';

interface AuditStoreFlags extends LogFlags {
  readonly recording?: string;
  readonly json?: true;
  readonly output?: string;
  readonly failOn?: 'low' | 'medium' | 'high';
}

async function run(paths: readonly string[], flags: AuditStoreFlags): Promise<void> {
  const log = createLog(flags.logLevel);
  const failOn = flags.failOn ?? null;
  const { stores, exitCode } = await auditStore({
    paths,
    recording: flags.recording,
    failOn,
    log,
    stop: stopOnSignals(),
  });
  const text = flags.json === true ? `${safeJson(stores)}\n` : storesText(stores);
  await writeAnswer({ command: 'audit-store', outputFile: flags.output, log }, [text]);
  process.exitCode = exitCode;
}

export function addAuditStore(program: Command): void {
  const command = program
    .command('audit-store')
    .summary('find secrets in the editor’s own record of chats')
    .description(
      'Looks for session-store.db of VS Code, its server and the Copilot CLI, and prints sessions, sizes, repositories and the secrets in them, by fingerprint. The files are read only, from a copy in memory: nothing is written, no lock is taken.',
    )
    .argument('[path...]', 'databases to read instead of those of the calling user')
    .option('--recording <file>', 'say which of the secrets crossed the wire in it')
    .option('--json', 'one JSON array of stores')
    .option('-o, --output <file>', 'write there instead of to standard output')
    .addOption(
      new Option('--fail-on <severity>', 'exit with code 3 when a secret is this severe').choices([
        'low',
        'medium',
        'high',
      ] as const),
    );
  addLogOption(command).action(run);
}
