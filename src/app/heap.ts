// Keeps the process small while a big recording streams through it. V8 lets garbage grow with the heap that it is allowed,
// some hundred MB of prompts that nobody needs any more; so when the process has grown past a mark, a full collection is
// asked for. With the little that analyses keep alive it takes some ten milliseconds.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Resident memory beyond which garbage is collected. */
const MARK_BYTES = 150 * 1024 * 1024;
/** Bytes read or written between two collections: what is alive may be beyond the mark, too. */
const EVERY_BYTES = 8 * 1024 * 1024;

/** Node exposes the collector by a flag only, which may be set at run time for code that is compiled later. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  return gc;
}

export interface Tidier {
  /** Tell it how much has been read (or written) so far; it collects when that is due. */
  read(readBytes: number): void;
  /** All has been read: what the reading left goes before the answer is made. */
  done(): void;
}

export function createTidier(everyBytes = EVERY_BYTES): Tidier {
  let gc: (() => void) | undefined;
  let lastBytes = 0;
  const isLarge = (): boolean => process.memoryUsage.rss() >= MARK_BYTES;
  const collect = (): void => {
    gc ??= collector();
    gc();
  };
  return {
    read(readBytes) {
      if (readBytes - lastBytes < everyBytes || !isLarge()) return;
      lastBytes = readBytes;
      collect();
    },
    done() {
      if (isLarge()) collect();
    },
  };
}
