// `tracer audit`: what left the machine that should not have, by a recording.

import type { Command } from 'commander';
import { Option } from 'commander';
import { type AuditReport, audit, auditSarif, auditText, safeJson, writeAnswer } from '../app/index.ts';
import { createLog, reportProblem } from './log.ts';
import { addLogOption, type LogFlags } from './options.ts';
import { stopOnSignals } from './run-capture.ts';
import { collectHosts } from './values.ts';

interface AuditFlags extends LogFlags {
  readonly json?: true;
  readonly sarif?: true;
  readonly output?: string;
  readonly failOn?: 'low' | 'medium' | 'high';
  readonly allowHost?: readonly string[];
  readonly personal: boolean;
}

function format(report: AuditReport, flags: AuditFlags): string {
  if (flags.sarif === true) return auditSarif(report);
  return flags.json === true ? `${safeJson(report)}\n` : auditText(report);
}

async function run(files: readonly string[], flags: AuditFlags): Promise<void> {
  const log = createLog(flags.logLevel);
  const settings = { files, log, stop: stopOnSignals(), personal: flags.personal };
  const choices = { allowHosts: flags.allowHost ?? [], failOn: flags.failOn ?? null };
  const { report, exitCode, problem } = await audit({ ...settings, ...choices });
  await writeAnswer({ command: 'audit', outputFile: flags.output, log }, [format(report, flags)]);
  reportProblem(problem, flags);
  process.exitCode = exitCode;
}

export function addAudit(program: Command): void {
  const command = program
    .command('audit')
    .summary('find secrets and other leaks in a recording')
    .description(
      'Reads a recording and prints what should not have left the machine: secrets in prompts and where they came from, tokens sent to foreign hosts, telemetry with text, hosts outside the allow list; then who was talked to, and how.\nNo secret is printed: a finding carries a fingerprint. Rules and fields: docs/audit.md.',
    )
    .argument(
      '<files...>',
      'made with --record: one, the parts of a rotated session, or several; `-` is standard input',
    )
    .option('--json', 'the whole report, request log included, as one JSON object')
    .addOption(new Option('--sarif', 'the findings as SARIF 2.1.0').conflicts('json'))
    .option('-o, --output <file>', 'write there instead of to standard output')
    .addOption(
      new Option('--fail-on <severity>', 'exit with code 3 when a finding is this severe').choices([
        'low',
        'medium',
        'high',
      ] as const),
    )
    .option(
      '--allow-host <host>',
      'a host that may be talked to; *.example.com for all below; again for more',
      collectHosts,
    )
    .option('--no-personal', 'leave out hints at a person: e-mail addresses, home folders, machine ids')
    .addHelpText(
      'after',
      `
Examples:
  tracer audit chat.trc
  tracer audit chat.trc --fail-on high               for CI: exit code 3 when a secret was sent
  tracer audit chat.trc --sarif -o findings.sarif
  tracer audit chat.trc --json | jq -r '.requests[] | [.time, .class, .auth, .status] | @tsv'`,
    );
  addLogOption(command).action(run);
}
