// As whom the tracer goes on once the probes are attached: the invoking user, never root by default. Names and groups are
// asked of id(1), which knows every name service of the system; that is the last child process that is started as root.

import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { TracerError } from '../errors.ts';
import { noTool } from './no-tool.ts';

export interface Identity {
  readonly uid: number;
  readonly gid: number;
  readonly groups: readonly number[];
  readonly name: string;
}

const idOf = (user: string, flag: string): string =>
  execFileSync('id', [flag, '--', user], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** Looks a user up by name or number. Throws E_CLI_USAGE when the system does not know it, E_PLACE_NO_TOOL when it cannot be asked. */
export function lookUpUser(user: string, command: string): Identity {
  try {
    return {
      uid: Number(idOf(user, '-u')),
      gid: Number(idOf(user, '-g')),
      groups: idOf(user, '-G').split(' ').map(Number),
      name: idOf(user, '-un'),
    };
  } catch (cause) {
    const missing = noTool(cause, 'id');
    if (missing !== undefined) throw missing;
    // A number without a name (a container's user) has no groups beside its own.
    if (/^\d+$/.test(user)) return { uid: Number(user), gid: Number(user), groups: [Number(user)], name: user };
    throw new TracerError('E_CLI_USAGE', { what: `unknown user ${user}`, command });
  }
}

export interface Home {
  readonly home: string;
  readonly shell: string;
}

/** From the user database; `/` and `/bin/sh` for a user that it does not know. */
export function homeOf(uid: number): Home {
  try {
    const line = execFileSync('getent', ['passwd', String(uid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const fields = line.trim().split(':');
    return { home: fields[5] ?? '/', shell: fields[6] ?? '/bin/sh' };
  } catch {
    return { home: '/', shell: '/bin/sh' };
  }
}

/** Who called: the user behind sudo, else who we are. */
export function callerUid(env: Readonly<Record<string, string | undefined>>): number {
  const sudoUid = env['SUDO_UID'];
  return sudoUid !== undefined && /^\d+$/.test(sudoUid) ? Number(sudoUid) : (process.getuid?.() ?? 0);
}

/** Owner of a process, or null when it has gone. */
function ownerOf(pid: number): number | null {
  try {
    return statSync(`/proc/${pid}`).uid;
  } catch {
    return null;
  }
}

/**
 * `--user`, else who called sudo, else the target's owner, and never root unless `--user` says so: then `nobody`.
 */
export function chooseIdentity(
  choice: { readonly user?: string | undefined; readonly targetPid?: number | undefined },
  env: Readonly<Record<string, string | undefined>>,
  command: string,
): Identity {
  if (choice.user !== undefined) return lookUpUser(choice.user, command);
  const sudoUid = env['SUDO_UID'];
  if (sudoUid !== undefined && sudoUid !== '0' && /^\d+$/.test(sudoUid)) return lookUpUser(sudoUid, command);
  const owner = choice.targetPid === undefined ? null : ownerOf(choice.targetPid);
  return owner === null || owner === 0 ? lookUpUser('nobody', command) : lookUpUser(String(owner), command);
}
