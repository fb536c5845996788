// Subjects on the bus: tracer.v1.<host>.<user>.<kind>. Names of machines and users may hold anything, a NATS token may not
// hold dots, wildcards or blanks: every byte outside [A-Za-z0-9_-] becomes %XX of its UTF-8, an empty name a lone %.

import type { FleetEvent } from '../../model/index.ts';

export const SUBJECT_ROOT = 'tracer.v1';
/** What a stream, or a reader of everything, subscribes to. */
export const ALL_SUBJECTS = `${SUBJECT_ROOT}.>`;

/** Last token of a subject: what a reader chooses by. */
export type SubjectKind =
  | 'call'
  | 'sse'
  | 'finding'
  | 'process'
  | 'connection'
  | 'loss'
  | 'heartbeat'
  | 'session'
  | 'other';

const KINDS: Readonly<Record<FleetEvent['type'], SubjectKind>> = {
  'call.started': 'call',
  call: 'call',
  'call.delta': 'sse',
  finding: 'finding',
  process: 'process',
  connection: 'connection',
  loss: 'loss',
  heartbeat: 'heartbeat',
  session: 'session',
  summary: 'session',
};

/** Events of a type that this table does not know are not lost: they go out as `other`. */
export const kindOf = (type: string): SubjectKind => (KINDS as Readonly<Record<string, SubjectKind>>)[type] ?? 'other';

/** A name as one token of a subject. */
export function escapeToken(name: string): string {
  if (name === '') return '%';
  const bytes = new TextEncoder().encode(name);
  return Array.from(bytes, (byte) => {
    const char = String.fromCharCode(byte);
    return /[A-Za-z0-9_-]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}

/** The name behind a token; a token that is no escaped name stays as it is. */
export function unescapeToken(token: string): string {
  if (token === '%') return '';
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}

export const subjectOf = (host: string, user: string, kind: SubjectKind): string =>
  `${SUBJECT_ROOT}.${escapeToken(host)}.${escapeToken(user)}.${kind}`;

/** Who sent a message, by its subject; null when the subject is none of ours. */
export function originOf(subject: string): { readonly host: string; readonly user: string } | null {
  const [root, version, host, user, kind, ...more] = subject.split('.');
  if (`${root}.${version}` !== SUBJECT_ROOT || host === undefined || user === undefined) return null;
  return kind === undefined || more.length > 0 ? null : { host: unescapeToken(host), user: unescapeToken(user) };
}

/** Whether everything that matches `subject` (which may hold wildcards itself) matches `pattern`. */
export function covers(pattern: string, subject: string): boolean {
  const wanted = subject.split('.');
  const tokens = pattern.split('.');
  for (const [i, token] of tokens.entries()) {
    if (token === '>') return wanted.length > i;
    const other = wanted[i];
    if (other === undefined || other === '>' || (token !== '*' && token !== other)) return false;
  }
  return tokens.length === wanted.length;
}
