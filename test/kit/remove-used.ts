// A folder in which a browser or a server still writes its last files.
import { rmSync } from 'node:fs';

/** Tries again for 20 s in all: each pause is 100 ms longer than the one before. */
const AGAIN = { maxRetries: 20, retryDelay: 100 };

/** Removes it with all that is in it, also what appears meanwhile. */
export const removeUsed = (dir: string): void => rmSync(dir, { recursive: true, force: true, ...AGAIN });
