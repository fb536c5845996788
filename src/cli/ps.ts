// `tracer ps`: processes with a TLS library, as a tree, and whether each can be traced.

import { basename } from 'node:path';
import type { Command } from 'commander';
import { listProcesses, type PsRow } from '../app/index.ts';

/** Names come from other people's processes: what could steer a terminal is made visible. */
const printable = (text: string): string =>
  text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '�');

function lineOf(row: PsRow): string {
  const pid = row.innerPid === undefined ? String(row.pid) : `${row.pid} (${row.innerPid} inside)`;
  const indent = '  '.repeat(row.depth);
  const head = `${pid.padStart(7)}  ${indent}${row.role} · ${basename(row.exe) || row.comm}`;
  const tls = row.tls.map(
    (fact) => `${' '.repeat(11)}${indent}${fact.hooked ? '+' : '-'} ${fact.library}: ${fact.reason}`,
  );
  return [head, ...tls].map(printable).join('\n');
}

const format = (rows: readonly PsRow[]): string =>
  rows.length === 0 ? 'no process with a known TLS library (others are shown with --all)' : rows.map(lineOf).join('\n');

export function addPs(program: Command): void {
  program
    .command('ps')
    .summary('list processes that can be traced')
    .description(
      'Prints the processes that have a TLS library, as a tree, with the role that each plays.\n+ : can be traced, and how its functions were found; - : cannot, and why. Other users’ processes need root.',
    )
    .option('-a, --all', 'also processes without a known TLS library')
    .option('--json', 'one JSON array instead of a tree')
    .action((flags: { readonly all?: true; readonly json?: true }) => {
      const rows = listProcesses({ all: flags.all === true });
      process.stdout.write(`${flags.json === true ? JSON.stringify(rows) : format(rows)}\n`);
    });
}
