// As whom this process runs, by the user database: the environment says whatever sudo or su left in it.

import { userInfo } from 'node:os';

/** The user's name; its number when it has none (a container's user). */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.geteuid?.());
  }
}
