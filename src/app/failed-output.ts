// Why a file that the user named cannot be written, in words: an errno says nothing to most people.

import { TracerError } from '../errors.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such directory',
  ENOTDIR: 'no such directory',
  EISDIR: 'it is a directory',
  ELOOP: 'it is a symbolic link',
};

function reasonOf({ code, message }: NodeJS.ErrnoException, user: string): string {
  if (code === 'EACCES' || code === 'EPERM')
    return `not allowed for user ${user} (as whom the tracer runs; attach and run take --user)`;
  return REASONS[code ?? ''] ?? code ?? message;
}

/** `path` could not be opened for writing by `user`. */
export function unwritable(path: string, user: string, cause: unknown): TracerError {
  const reason = cause instanceof Error ? reasonOf(cause, user) : String(cause);
  return new TracerError('E_FILE_UNWRITABLE', { path, reason, user }, { cause });
}

/** What was opened for text took no more. `path` undefined: standard output. */
export function failedOutput(path: string | undefined, cause: NodeJS.ErrnoException): TracerError {
  const reason = cause.code ?? cause.message;
  return new TracerError('E_EXPORT_FULL', { path: path ?? 'standard output', reason }, { cause });
}
