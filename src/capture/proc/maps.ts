// /proc/PID/maps, reduced to what discovery needs: the files of which a process has executable pages. proc(5).
//
// LIMITS: on btrfs and some overlay file systems the device shown here is not the one stat(2) tells for the same file, so
// (dev, inode) may be compared with other lines of maps only. A file really named `x (deleted)` is shown as deleted `x`.

import { type Attempt, readBounded, succeed } from './attempt.ts';

/** One file with at least one executable mapping in a process. */
export interface MappedFile {
  /** `major:minor` in hex, as the kernel prints it. */
  readonly dev: string;
  readonly inode: number;
  /** As the process's mount namespace shows it, without ` (deleted)`. Not necessarily openable from here. */
  readonly path: string;
  readonly isDeleted: boolean;
  /** Made by memfd_create(2): no name in any file system. */
  readonly isMemfd: boolean;
  /** Address range of the first executable mapping, as the name of its link in /proc/PID/map_files. */
  readonly range: string;
  /** File offset and address of that mapping: with the program headers they give the load bias. */
  readonly startAddress: bigint;
  readonly fileOffset: number;
}

/** A browser has about 3,000 mappings of 100 bytes; 65,530 (the kernel's default maximum) of 250 bytes fit. */
const MAPS_LIMIT_BYTES = 16 * 1024 * 1024;

const DELETED = ' (deleted)';
const LINE = /^([0-9a-f]+)-([0-9a-f]+) (\S{4}) ([0-9a-f]+) ([0-9a-f]+:[0-9a-f]+) (\d+) +(.+)$/;

export const readMappedFiles = (pid: number): Attempt<MappedFile[]> => {
  const text = readBounded(`/proc/${pid}/maps`, MAPS_LIMIT_BYTES);
  return text.ok ? succeed(parseMaps(text.value.toString('utf8'))) : text;
};

/** The executable file mappings, first mapping of each (dev, inode) only, in address order. */
export function parseMaps(text: string): MappedFile[] {
  const byFile = new Map<string, MappedFile>();
  for (const line of text.split('\n')) {
    const file = parseLine(line);
    if (file === undefined) continue;
    const key = `${file.dev}/${file.inode}`;
    if (!byFile.has(key)) byFile.set(key, file);
  }
  return [...byFile.values()];
}

function parseLine(line: string): MappedFile | undefined {
  // Most lines of a large process are data: the third character behind the first blank tells without a pattern.
  if (line[line.indexOf(' ') + 3] !== 'x') return undefined;
  const [, start, end, permissions, offset, dev, inode, shown] = LINE.exec(line) ?? [];
  if (start === undefined || end === undefined || offset === undefined || dev === undefined) return undefined;
  if (permissions === undefined || inode === undefined || inode === '0' || shown === undefined) return undefined;
  // seq_path escapes a newline as \012 and nothing else.
  const unescaped = shown.replaceAll('\\012', '\n');
  const isDeleted = unescaped.endsWith(DELETED);
  const path = isDeleted ? unescaped.slice(0, -DELETED.length) : unescaped;
  return {
    dev,
    inode: Number(inode),
    path,
    isDeleted,
    isMemfd: path.startsWith('/memfd:'),
    // maps pads addresses to eight digits, map_files does not.
    range: [start, end].map((address) => address.replace(/^0+(?=.)/, '')).join('-'),
    startAddress: BigInt(`0x${start}`),
    fileOffset: Number.parseInt(offset, 16),
  };
}
