// Giving root up: what a capture still needs once it is attached, and nothing else.

import { type Capability, dropPrivileges } from '@ebpf-tools/node';

/** As whom the process goes on. */
export interface NewOwner {
  readonly uid: number;
  readonly gid: number;
  readonly groups: readonly number[];
}

/**
 * Every thread of the process becomes `owner` with just these capabilities; no way back (PR_SET_NO_NEW_PRIVS included).
 * Throws when the kernel refuses: going on as root would be worse than ending.
 */
export function keepOnly(capabilities: readonly Capability[], owner: NewOwner): void {
  dropPrivileges({ uid: owner.uid, gid: owner.gid, groups: [...owner.groups], keep: [...capabilities] });
}
