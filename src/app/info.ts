// `tracer info`: what a recording is and holds, without showing any of it.

import { readIndexOf } from '../capture/index.ts';
import type { CaptureRecord, SummaryEvent } from '../model/index.ts';
import { type AnalysisResult, type AnalysisSettings, analyse } from './analysis.ts';
import { RecordingTotals, type RecordTotals } from './recording-totals.ts';

export interface FileFacts {
  readonly path: string;
  readonly bytes: number | null;
  /** Of the records before compression; null without an index. */
  readonly contentBytes: number | null;
  readonly hasIndex: boolean;
  readonly state: string;
  readonly problem: string | null;
  readonly formatVersion: number;
  readonly part: number;
  readonly host: string;
  readonly bootId: string;
  readonly toolVersion: string;
}

export interface RecordingInfo {
  readonly files: readonly FileFacts[];
  /** UTC of the first and the last record. */
  readonly from: string;
  readonly to: string;
  readonly records: RecordTotals;
  readonly summary: SummaryEvent | null;
}

export interface InfoResult extends AnalysisResult {
  readonly info: RecordingInfo;
}

/** Size before compression as the index tells it; a pipe has none. */
async function contentBytesOf(path: string): Promise<number | null> {
  const found = path === '-' ? null : await readIndexOf(path);
  return found === null ? null : found.index.rows.reduce((sum, row) => sum + row.contentBytes, 0);
}

/** Reads the recordings through. Throws E_RECORDING_UNREADABLE, E_RECORDING_SAME. */
export async function info(files: readonly string[], settings: AnalysisSettings): Promise<InfoResult> {
  const totals = new RecordingTotals();
  let stamp = (_tsNs: bigint): string => '';
  const result = await analyse(files, settings, (_, session) => {
    stamp = (tsNs) => session.stamp(tsNs).time;
    return { record: (record: CaptureRecord) => totals.add(record) };
  });
  const facts = await Promise.all(
    result.files.map(
      async ({ path, bytes, end, header }): Promise<FileFacts> => ({
        path,
        bytes,
        contentBytes: await contentBytesOf(path),
        hasIndex: end.hasIndex,
        state: end.state,
        problem: end.problem,
        formatVersion: end.formatVersion,
        part: header?.part ?? 0,
        host: header?.host ?? '',
        bootId: header?.bootId ?? '',
        toolVersion: header?.toolVersion ?? '',
      }),
    ),
  );
  const { firstNs, lastNs } = totals;
  const records = totals.totals();
  const { summary } = result;
  return { ...result, info: { files: facts, from: stamp(firstNs), to: stamp(lastNs), records, summary } };
}
