// Which pair of BPF programs serves a hook: one that looks for the arguments where this function has them, so that a kernel
// without attach cookies (before 5.15), which cannot be told other places, reads the right ones too.
// In step with the table of TLS_ROLE rows in bpf/tls.bpf.h.

import type { Hook, HookArgs, HookRole } from '../targets/target.ts';

interface ProgramRow {
  readonly role: HookRole;
  /** The programs are NAME_enter and, unless the role has no result, NAME_exit. */
  readonly name: string;
  readonly hasExit: boolean;
  /** Where it finds what without a cookie. */
  readonly args: HookArgs;
}

const pair = (role: HookRole, name: string, args: HookArgs): ProgramRow => ({ role, name, hasExit: true, args });
const single = (role: HookRole, name: string): ProgramRow => ({ role, name, hasExit: false, args: {} });

/** The first row of a role is the one whose places a cookie may change. */
const ROWS: readonly ProgramRow[] = [
  pair('read', 'tls_read', { buf: 1, len: 2 }),
  pair('write', 'tls_write', { buf: 1, len: 2 }),
  pair('read_ex', 'tls_read_ex', { buf: 1, len: 2, done: 3 }),
  pair('write_ex', 'tls_write_ex', { buf: 1, len: 2, done: 3 }),
  pair('write_ex', 'tls_write_ex2', { buf: 1, len: 2, done: 4 }),
  pair('open', 'tls_open', { out: 1 }),
  pair('seal', 'tls_seal', { buf: 3, len: 4, done: 2 }),
  pair('seal_old', 'tls_seal_old', { buf: 2, len: 3 }),
  single('free', 'tls_free'),
  single('sni', 'tls_sni'),
  single('ctrl', 'tls_ctrl'),
];

export interface TlsPrograms {
  readonly enter: string;
  readonly exit?: string;
  /** False: only with a cookie, which says where the arguments are. */
  readonly fitsWithoutCookie: boolean;
}

const ARGUMENTS = ['buf', 'len', 'done', 'out'] as const;

const finds = (row: ProgramRow, args: HookArgs): boolean =>
  ARGUMENTS.every((name) => args[name] === undefined || args[name] === row.args[name]);

const namesOf = ({ name, hasExit }: ProgramRow): { enter: string; exit?: string } => ({
  enter: `${name}_enter`,
  ...(hasExit && { exit: `${name}_exit` }),
});

/** All programs that are attached to functions. */
export const TLS_PROGRAMS: readonly string[] = ROWS.flatMap((row) => Object.values(namesOf(row)));

/** Throws for a role that has no program, which is a bug. */
export function programsOf({ role, args = {} }: Pick<Hook, 'role' | 'args'>): TlsPrograms {
  const rows = ROWS.filter((row) => row.role === role);
  const fitting = rows.find((row) => finds(row, args));
  const row = fitting ?? rows[0];
  if (row === undefined) throw new Error(`no program for role ${role}`);
  return { ...namesOf(row), fitsWithoutCookie: fitting !== undefined };
}
