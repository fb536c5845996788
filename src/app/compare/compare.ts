// `tracer compare`: a recording beside what the editor's extension says itself.

import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { EXIT, readingReason, TracerError } from '../../errors.ts';
import { type Compared, Comparer, type DebugLog, DebugLogReader, type WireCall } from '../../insight/index.ts';
import { type AnalysedCall, type AnalysisSettings, analyse } from '../analysis.ts';
import { callIdText } from '../call-events.ts';
import { createShown, type Shown } from '../shown.ts';
import type { SessionResult } from '../types.ts';
import { compareText } from './text.ts';

export interface CompareSettings extends AnalysisSettings {
  /** Agent Debug Log or OTLP-JSON. */
  readonly debugLog: string;
}

export interface CompareAnswer extends SessionResult {
  readonly text: Iterable<string>;
  readonly json: Iterable<unknown>;
}

/** A log, or a folder: the extension writes the calls of subagents and helpers beside `main.jsonl`. Throws E_LOG_UNREADABLE. */
export async function readDebugLog(path: string): Promise<DebugLog> {
  const reader = new DebugLogReader();
  const document: string[] = [];
  let chars = 0;
  try {
    for (const file of logFiles(path)) {
      const input = createReadStream(file, 'utf8');
      for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
        reader.line(line);
        chars += line.length;
        if (chars <= MAX_DOCUMENT_CHARS) document.push(line);
      }
    }
  } catch (cause) {
    const reason = readingReason(cause);
    throw new TracerError('E_LOG_UNREADABLE', { path, reason }, { cause });
  }
  const log = isEmpty(reader.log) && chars <= MAX_DOCUMENT_CHARS ? documentOf(document) : reader.log;
  if (isEmpty(log))
    throw new TracerError('E_LOG_UNREADABLE', { path, reason: 'no LLM call, tool call or prompt is in it' });
  return log;
}

function logFiles(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => name.endsWith('.jsonl'));
  return names.sort().map((name) => join(path, name));
}

/** One JSON document over several lines, as people format it. */
const MAX_DOCUMENT_CHARS = 64 * 1024 * 1024;

function documentOf(lines: readonly string[]): DebugLog {
  const reader = new DebugLogReader();
  reader.line(lines.join('\n'));
  return reader.log;
}

const isEmpty = ({ calls, tools, prompts }: DebugLog): boolean => calls.length + tools.length + prompts.length === 0;

export async function compare(file: string, settings: CompareSettings): Promise<CompareAnswer> {
  const log = await readDebugLog(settings.debugLog);
  const comparer = new Comparer();
  let shown: Shown | undefined;
  const { exitCode, problem } = await analyse(file, settings, (redactor) => {
    shown = createShown(redactor);
    return { call: ({ raw, event }: AnalysedCall) => comparer.accept(raw, Date.parse(event.time)) };
  });
  if (shown === undefined) throw new Error('the analysis made no visitor');
  const compared = comparer.compare(log);
  const code = exitCode === EXIT.ok && differs(compared) ? EXIT.no : exitCode;
  return { text: compareText(compared, log, shown), json: compareJson(compared, shown), exitCode: code, problem };
}

const differs = ({ pairs, onlyLogged, onlyWire, tools, promptsNotSent }: Compared): boolean =>
  onlyLogged.length > 0 ||
  promptsNotSent > 0 ||
  onlyWire.some(({ expected }) => expected === undefined) ||
  pairs.some(({ differences }) => differences.length > 0) ||
  tools.some(({ wire, logged }) => wire !== logged);

function* compareJson({ pairs, onlyLogged, onlyWire, tools, ...prompts }: Compared, shown: Shown): Generator<unknown> {
  const wire = ({ id, ...call }: WireCall) => ({ call: callIdText(id), ...call });
  for (const { wire: call, ...pair } of pairs) yield { type: 'pair', ...pair, wire: wire(call) };
  for (const logged of onlyLogged) yield { type: 'only-logged', logged: { ...logged, name: shown.text(logged.name) } };
  for (const { call, ...rest } of onlyWire) yield { type: 'only-wire', wire: wire(call), ...rest };
  for (const tool of tools) yield { type: 'tool', ...tool };
  yield { type: 'prompts', ...prompts };
}
