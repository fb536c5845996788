// Programs of the system that the tracer starts itself. They are on every Debian; in a small container they may not be.

import { TracerError } from '../errors.ts';

const PACKAGES = { id: 'coreutils', setpriv: 'util-linux' } as const;

/** The error for a tool that is not there; undefined when starting it failed for another reason. */
export function noTool(cause: unknown, tool: keyof typeof PACKAGES): TracerError | undefined {
  if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')) return undefined;
  const path = process.env['PATH'] ?? '';
  return new TracerError('E_PLACE_NO_TOOL', { tool, path, package: PACKAGES[tool] }, { cause });
}
