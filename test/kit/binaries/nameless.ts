// A real program that exports its TLS library, with the names taken away: what is left is a stripped program that still runs.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { opened } from './separated.ts';

/** Writes a copy of `program` in which no symbol of the TLS library has its name. */
export function writeNameless(program: string, copy: string): void {
  execFileSync('strip', ['-o', copy, program]);
  const { strings } = opened(copy).dynamic;
  if (strings === undefined) throw new Error(`${program} has no dynamic strings`);
  const bytes = readFileSync(copy);
  const names = bytes.subarray(strings.offset, strings.offset + strings.sizeBytes);
  for (const prefix of ['\0SSL_', '\0ssl_', '\0tls1_']) {
    for (let at = names.indexOf(prefix); at >= 0; at = names.indexOf(prefix, at + 1)) names.write('X', at + 1);
  }
  writeFileSync(copy, bytes, { mode: 0o755 });
}
