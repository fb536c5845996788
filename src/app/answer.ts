// Writes what a command answers to standard output or a file, at the reader's pace: text is made only as fast as it is taken,
// so that a long transcript is never whole in memory.

import { closeSync } from 'node:fs';
import { failedOutput } from './failed-output.ts';
import { createTidier } from './heap.ts';
import { openOutputFile, STDOUT_FD } from './output.ts';
import { openTextOutput } from './text-output.ts';
import type { Log } from './types.ts';
import { userName } from './user-name.ts';

export interface AnswerSettings {
  readonly command: string;
  /** Undefined: standard output. */
  readonly outputFile: string | undefined;
  readonly log: Log;
}

/** Text written between two collections of what making it left. */
const TIDY_BYTES = 2 * 1024 * 1024;
/** Text that waits for a slow reader. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** Throws E_FILE_UNWRITABLE, E_EXPORT_FULL. A reader that closes the pipe (`| head`) ends it quietly. */
export async function writeAnswer(settings: AnswerSettings, pieces: Iterable<string>): Promise<void> {
  const user = userName();
  const fd = settings.outputFile === undefined ? STDOUT_FD : openOutputFile(settings.outputFile, user);
  const output = openTextOutput(fd, () => {});
  const tidy = createTidier(TIDY_BYTES);
  let chars = 0;
  try {
    for (const piece of pieces) {
      output.write(piece);
      chars += piece.length;
      tidy.read(chars);
      if (output.error() !== null) break;
      if (output.backlogBytes() > MAX_WAITING_BYTES) await output.below(MAX_WAITING_BYTES / 2);
    }
    await output.below(0);
    const error = output.error();
    if (error !== null && error.code !== 'EPIPE') throw failedOutput(settings.outputFile, error);
  } finally {
    if (fd !== STDOUT_FD) closeSync(fd);
  }
}
