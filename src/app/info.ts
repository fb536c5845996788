// `tracer info`: what a recording is and holds, without showing any of it.

import { type SkimmedFile, skim } from '../capture/index.ts';
import { EXIT } from '../errors.ts';
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
  readonly durationMs: number;
  readonly records: number;
  /** What is in the records; null when only the files' ends were read. */
  readonly contents: RecordTotals | null;
  readonly summary: SummaryEvent | null;
}

export interface InfoResult extends AnalysisResult {
  readonly info: RecordingInfo;
}

const contentBytesOf = ({ index }: SkimmedFile): number => index.rows.reduce((sum, row) => sum + row.contentBytes, 0);

const headerFacts = (header: SkimmedFile['header'] | null) => ({
  part: header?.part ?? 0,
  host: header?.host ?? '',
  bootId: header?.bootId ?? '',
  toolVersion: header?.toolVersion ?? '',
});

/**
 * What a recording is and holds. `quick`: by headers and indexes alone where every file has them, however large the files.
 * Throws E_RECORDING_UNREADABLE, E_RECORDING_SAME.
 */
export async function info(
  files: readonly string[],
  settings: AnalysisSettings & { readonly quick: boolean },
): Promise<InfoResult> {
  const skimmed = settings.quick ? await Promise.all(files.map(skim)) : [];
  const known = skimmed.filter((file) => file !== null);
  return settings.quick && known.length === files.length ? skimmedInfo(known) : scannedInfo(files, settings);
}

const utcOf = ({ header }: SkimmedFile, tsNs: bigint): number =>
  Number((tsNs + header.wallNs - header.monoNs) / 1_000_000n);

function skimmedInfo(files: readonly SkimmedFile[]): InfoResult {
  const rows = files.flatMap((file) => file.index.rows.map((row) => ({ file, row })));
  const fromMs = Math.min(...rows.map(({ file, row }) => utcOf(file, row.firstNs)));
  const toMs = Math.max(...rows.map(({ file, row }) => utcOf(file, row.lastNs)));
  const text = (ms: number): string => (Number.isFinite(ms) ? new Date(ms).toISOString() : '');
  const facts = files.map(
    (file): FileFacts => ({
      path: file.path,
      bytes: file.bytes,
      contentBytes: contentBytesOf(file),
      hasIndex: true,
      state: 'not read',
      problem: null,
      formatVersion: file.header.formatVersion,
      ...headerFacts(file.header),
    }),
  );
  const records = rows.reduce((sum, { row }) => sum + row.records, 0);
  const durationMs = rows.length === 0 ? 0 : toMs - fromMs;
  const read = { files: facts, from: text(fromMs), to: text(toMs), durationMs, records };
  return {
    files: [],
    problem: null,
    exitCode: EXIT.ok,
    summary: null,
    info: { ...read, contents: null, summary: null },
  };
}

async function scannedInfo(files: readonly string[], settings: AnalysisSettings): Promise<InfoResult> {
  const totals = new RecordingTotals();
  let stamp = (_tsNs: bigint): string => '';
  const result = await analyse(files, settings, (_, session) => {
    stamp = (tsNs) => session.stamp(tsNs).time;
    return { record: (record: CaptureRecord) => totals.add(record) };
  });
  const facts = await Promise.all(
    result.files.map(async ({ path, bytes, end, header }): Promise<FileFacts> => {
      const skimmed = await skim(path);
      return {
        path,
        bytes,
        contentBytes: skimmed === null ? null : contentBytesOf(skimmed),
        hasIndex: end.hasIndex,
        state: end.state,
        problem: end.problem,
        formatVersion: end.formatVersion,
        ...headerFacts(header),
      };
    }),
  );
  const { firstNs, lastNs } = totals;
  const contents = totals.totals();
  const records = Object.values(contents.byKind).reduce((sum, count) => sum + count, 0);
  const times = { from: stamp(firstNs), to: stamp(lastNs), durationMs: totals.durationMs };
  return { ...result, info: { files: facts, ...times, records, contents, summary: result.summary } };
}
