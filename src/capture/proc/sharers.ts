// Who else maps a file: decides whether its probes would burden processes that nobody asked to trace.

import { readBounded } from './attempt.ts';
import { listPids } from './tree.ts';

const MAPS_LIMIT_BYTES = 16 * 1024 * 1024;

/** As /proc/PID/maps names a file. */
export interface MappedIdentity {
  readonly dev: string;
  readonly inode: number;
}

/** `address perms offset dev inode path`: dev and inode stand between single blanks. */
export const isInMaps = (maps: string, file: MappedIdentity): boolean => maps.includes(` ${file.dev} ${file.inode} `);

/**
 * True when a process for which `isOurs` is false maps the file now. Reads the mappings of all processes until it meets one,
 * about 0.1 ms each; those that cannot be read are taken for no sharers.
 */
export function isMappedByOthers(file: MappedIdentity, isOurs: (pid: number) => boolean): boolean {
  return listPids().some((pid) => {
    if (pid === process.pid || isOurs(pid)) return false;
    const maps = readBounded(`/proc/${pid}/maps`, MAPS_LIMIT_BYTES);
    return maps.ok && isInMaps(maps.value.toString('latin1'), file);
  });
}
