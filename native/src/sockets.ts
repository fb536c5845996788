// Closing other processes' TCP connections.
import { binding } from './binding.ts';
import { checkInteger } from './check.ts';
import { BpfError, unwrap } from './error.ts';

/** Inode numbers of sockets are 32 bits wide in sock_diag. */
const MAX_INODE = 2 ** 32 - 1;
const EOPNOTSUPP = 95;

/**
 * Closes the established TCP connections with these socket inodes (`/proc/PID/fd/N` → `socket:[inode]`) from outside, as
 * `ss -K` does: the peer gets a reset, the owner ECONNABORTED. Inodes that name no such connection are passed over.
 * `namespacePath`: the network namespace to look in, e.g. `/proc/PID/ns/net`; default: the caller's own (another needs
 * CAP_SYS_ADMIN). Needs CAP_NET_ADMIN. Returns how many were closed.
 * @throws BpfError EOPNOTSUPP (the kernel has no CONFIG_INET_DIAG_DESTROY), EPERM.
 */
export const destroySockets = (inodes: readonly number[], namespacePath = ''): number => {
  for (const inode of inodes) checkInteger('inodes', inode, 1, MAX_INODE);
  return unwrap(binding.destroySockets(inodes, namespacePath));
};

/** Whether the error says that this kernel cannot close sockets from outside. */
export const isDestroyUnsupported = (error: unknown): boolean =>
  error instanceof BpfError && error.errno === EOPNOTSUPP;
