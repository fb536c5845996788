// A recording by its two ends: header and index. What a large file is, without reading it.

import type { RecordingHeader, RecordingIndex } from '../../record/index.ts';
import { RecordingFile, readIndexOf } from './recording-file.ts';

export interface SkimmedFile {
  readonly path: string;
  readonly bytes: number;
  readonly header: RecordingHeader;
  readonly index: RecordingIndex;
}

/** Null when the file cannot be known so: it has no index, is encrypted, or is a pipe. Throws E_RECORDING_UNREADABLE. */
export async function skim(path: string): Promise<SkimmedFile | null> {
  if (path === '-') return null;
  const found = await readIndexOf(path);
  if (found === null) return null;
  const file = await RecordingFile.open(path);
  const { header } = file;
  await file.close();
  return header === null ? null : { path, bytes: found.fileBytes, header, index: found.index };
}
