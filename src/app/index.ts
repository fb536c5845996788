// Door of the app room: what the command line can ask for.

export { provideUnlock, type RunningClient, SUPPLIED_FUNCTIONS, type Unlock } from '../capture/index.ts';
export { safeJson } from '../sinks/index.ts';
export {
  type AnalysedCall,
  type AnalysisResult,
  type AnalysisSettings,
  type AnalysisVisitor,
  analyse,
} from './analysis.ts';
export { type AnswerSettings, writeAnswer } from './answer.ts';
export { type AttachSettings, attach } from './attach.ts';
export * from './audit/index.ts';
export {
  checkServerUrl,
  type NatsServerSettings,
  type NatsSinkSettings,
  type ReaderSettings,
  type ReadFrom,
} from './bus.ts';
export * from './cache/index.ts';
export { type CollectSettings, collect } from './collect.ts';
export * from './compare/index.ts';
export * from './context/index.ts';
export {
  type Answer,
  conversations,
  type ShowSettings,
  show,
  type TextView,
} from './conversations/index.ts';
export { type CurlResult, curl } from './curl.ts';
export { type CutResult, type CutSelection, type CutSettings, type CutTime, cut } from './cut.ts';
export { type DoctorLine, examine } from './doctor.ts';
export { type ExportSettings, exportFormats, exportRecordings } from './export.ts';
export * from './find/index.ts';
export { type FileFacts, type InfoResult, info, type RecordingInfo } from './info.ts';
export { models } from './models/index.ts';
export { checkOtlpAddress } from './otlp-output.ts';
export { makeFilesPrivate } from './private-umask.ts';
export { listProcesses, type PsList, type PsOptions, type PsRow } from './ps.ts';
export { partPath } from './recorder.ts';
export { type ReplaySettings, replay } from './replay.ts';
export * from './report/index.ts';
export { readRulesFile } from './rules-file.ts';
export { type RunSettings, run } from './run.ts';
export { safeText } from './safe-text.ts';
export { type ScrubResult, type ScrubSettings, scrub } from './scrub/scrub.ts';
export { checkFilter } from './selection.ts';
export * from './store/index.ts';
export type { GivenOffset } from './supplied.ts';
export { type TailSettings, tail } from './tail.ts';
export { type Ask, chooseTargets, type Selection } from './targets.ts';
export type { CaptureSettings, Log, OutputSettings, SessionResult } from './types.ts';
export { userName } from './user-name.ts';
export { toolVersion } from './version.ts';
