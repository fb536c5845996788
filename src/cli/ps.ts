// `tracer ps`: processes with a TLS library, as a tree, and whether each can be traced.

import { basename } from 'node:path';
import type { Command } from 'commander';
import { counted, listProcesses, type PsList, type PsRow, safeJson, safeText } from '../app/start.ts';

/** Left of the tree: pid, pid inside its container, user. */
const COLUMNS = ['PID', 'INSIDE', 'USER'] as const;

function cellsOf(row: PsRow): readonly string[] {
  return [String(row.pid), row.innerPid === undefined ? '' : String(row.innerPid), safeText(row.user)];
}

function tlsLines(row: PsRow): readonly string[] {
  const unseen = row.unseenConnections ?? 0;
  const tail = unseen > 0 ? `, ${counted(unseen, 'connection')} unseen` : '';
  const facts = row.tls.map(({ hooked, library, reason: long }) => {
    const reason = shortened(long);
    // What is not supported says so as `rustls: not supported`; here the version goes with the name.
    const why = hooked ? reason : reason.replace(/^[\w-]+: /, '');
    return `${hooked ? '+' : '-'} ${library}: ${why}${hooked ? '' : tail}`;
  });
  return [...facts, ...row.notes.map((note) => `! ${note}`)];
}

/** Role and program; the product where it is a known one. */
function nameOf(row: PsRow): string {
  const program = basename(row.exe) || row.comm;
  const name = row.role === program || row.role === 'other' ? program : `${row.role} · ${program}`;
  return row.product === undefined ? name : `${name} (${row.product})`;
}

function leftOut(count: number): string {
  const remedy = process.geteuid?.() === 0 ? '' : ': sudo tracer ps';
  return `${counted(count, 'process', 'processes')} could not be looked into${remedy}`;
}

/** `SSL_read, SSL_write, … by dynamic symbol`: the first names tell what it is. */
const NAMES_SHOWN = 2;

function shortened(reason: string): string {
  const names = reason.split(', ');
  const [, last = '', tail = ''] = /^(\S+)( .*)$/.exec(names.at(-1) ?? '') ?? [];
  if (names.length <= NAMES_SHOWN + 1 || last === '') return reason;
  return `${names.slice(0, NAMES_SHOWN).join(', ')} and ${names.length - NAMES_SHOWN} more${tail}`;
}

const cut = (text: string, columns: number | undefined): string =>
  columns === undefined || text.length <= columns ? text : `${text.slice(0, columns - 1)}…`;

/** The list as text. `columns`: width of the terminal, undefined where lines may be as long as they like. */
export function formatPs(list: PsList, columns?: number): string {
  const { rows, unreadable } = list;
  const hint = unreadable === 0 ? [] : [leftOut(unreadable)];
  if (rows.length === 0)
    return ['no process with a known TLS library (others are shown with --all)', ...hint].join('\n');
  const table = [COLUMNS, ...rows.map(cellsOf)];
  const widths = COLUMNS.map((_, i) => Math.max(...table.map((cells) => cells[i]?.length ?? 0)));
  const hasInner = rows.some((row) => row.innerPid !== undefined);
  const left = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => (i === 2 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .filter((_, i) => i !== 1 || hasInner)
      .join('  ');
  const blank = left(['', '', '']);
  const lines = rows.flatMap((row) => {
    const indent = '  '.repeat(row.depth);
    const head = `${left(cellsOf(row))}  ${indent}${safeText(nameOf(row))}`;
    return [head, ...tlsLines(row).map((line) => `${blank}  ${indent}  ${safeText(line)}`)];
  });
  return [`${left(COLUMNS)}  PROCESS`, ...lines, ...hint].map((line) => cut(line, columns)).join('\n');
}

export function addPs(program: Command): void {
  program
    .command('ps')
    .summary('list processes that can be traced')
    .description(
      'Prints the processes that have a TLS library, as a tree, with the role that each plays.\n+ : can be traced, and how its functions were found; - : cannot, and why; ! : something else to know.\nOther users’ processes need root.',
    )
    .option('-a, --all', 'also processes without a known TLS library')
    .option('--json', 'one JSON array instead of a tree')
    .action((flags: { readonly all?: true; readonly json?: true }) => {
      const list = listProcesses({ all: flags.all === true });
      const columns = process.stdout.isTTY ? process.stdout.columns : undefined;
      process.stdout.write(`${flags.json === true ? safeJson(list.rows) : formatPs(list, columns)}\n`);
    });
}
