// Keeps the process small while a big recording streams through it. V8 lets garbage grow with the heap that it is allowed,
// some hundred MB of prompts that nobody needs any more; so when the process has grown past a mark, a full collection is
// asked for. With the little that analyses keep alive it takes some ten milliseconds.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Resident memory beyond which garbage is collected. */
const MARK_BYTES = 150 * 1024 * 1024;
/** Recording read between two collections: what is alive may be beyond the mark, too. */
const EVERY_BYTES = 8 * 1024 * 1024;

/** Node exposes the collector by a flag only, which may be set at run time for code that is compiled later. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  return gc;
}

/** Tell it how much has been read; it collects when that is due. */
export function createTidier(): (readBytes: number) => void {
  let gc: (() => void) | undefined;
  let lastBytes = 0;
  return (readBytes) => {
    if (readBytes - lastBytes < EVERY_BYTES || process.memoryUsage.rss() < MARK_BYTES) return;
    lastBytes = readBytes;
    gc ??= collector();
    gc();
  };
}
