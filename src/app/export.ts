// `tracer export`: recordings through the pipeline into export formats. All formats are fed in one pass; each gets what it
// asks for, redacted, but those that take records: they get the plaintext as captured, and the user asked for that.

import { BRIEF, createCallGrouper } from '../insight/index.ts';
import { EXPORTS, type OpenExport } from '../sinks/index.ts';
import { type AnalysisResult, type AnalysisSettings, type AnalysisVisitor, analyse } from './analysis.ts';
import { ExchangeCollector } from './exchange-collector.ts';
import { openExportFile } from './export-file.ts';
import { createSelection, type Selection } from './selection.ts';
import { turnsOf } from './turn-facts.ts';
import { userName } from './user-name.ts';
import { toolVersion } from './version.ts';

export interface ExportSettings extends AnalysisSettings {
  readonly files: readonly string[];
  /** Where each format goes, by its name. */
  readonly targets: ReadonlyMap<string, string>;
  /** Only calls that it wants, and their exchanges (docs/filters.md). */
  readonly filter?: string | undefined;
  /** Prompts and answers may leave, in formats that ask. */
  readonly content: boolean;
}

/** What `tracer export` can make, for its options. */
export const exportFormats = (): readonly Pick<
  (typeof EXPORTS)[number],
  'name' | 'flag' | 'argument' | 'description' | 'isRaw'
>[] => EXPORTS;

async function openExports({ targets, content, log }: ExportSettings): Promise<OpenExport[]> {
  const user = userName();
  const host = {
    openFile: (path: string) => openExportFile(path, user),
    warn: (text: string) => log.warn(text),
    toolVersion: toolVersion(),
    content,
  };
  const open: OpenExport[] = [];
  for (const format of EXPORTS) {
    const target = targets.get(format.name);
    if (target !== undefined) open.push(await format.open(target, host));
  }
  return open;
}

/** Throws E_RECORDING_UNREADABLE, E_FILE_UNWRITABLE, E_EXPORT_FULL and what a format's target gives. */
export async function exportRecordings(settings: ExportSettings): Promise<AnalysisResult> {
  const chosen = createSelection(settings.filter);
  let wanted = 0;
  const select: Selection = (events) => {
    const passed = chosen(events);
    wanted += passed.filter(({ type }) => type !== 'loss' && type !== 'summary').length;
    return passed;
  };
  const exports = await openExports(settings);
  const grouper = createCallGrouper(BRIEF);
  let collector: ExchangeCollector | null = null;
  const result = await analyse(settings.files, settings, (redactor, session) => {
    const onExchange: ConstructorParameters<typeof ExchangeCollector>[0]['onExchange'] = (copy) => {
      if (settings.filter !== undefined && select(copy.calls).length === 0) return;
      for (const open of exports) open.exchange?.(copy);
    };
    const exchanges = exports.some((open) => open.exchange)
      ? new ExchangeCollector({ redactor, session, onExchange })
      : null;
    collector = exchanges;
    return visitorOf(exports, exchanges, select, grouper.accept.bind(grouper));
  });
  finish(collector);
  for (const open of exports) open.turns?.(turnsOf(grouper.grouping));
  for (const open of exports) await open.end();
  if (wanted === 0 && settings.filter !== undefined) settings.log.warn(`nothing in the recording matches the filter`);
  return result;
}

const finish = (collector: ExchangeCollector | null): void => collector?.finish();

function visitorOf(
  exports: readonly OpenExport[],
  exchanges: ExchangeCollector | null,
  select: Selection,
  group: (call: Parameters<NonNullable<AnalysisVisitor['call']>>[0]['call']) => void,
): AnalysisVisitor {
  const wantsTurns = exports.some((open) => open.turns);
  const wantsRecords = exports.some((open) => open.record);
  return {
    call({ event, call }) {
      exchanges?.call(event);
      if (wantsTurns) group(call);
      if (select([event]).length === 0) return;
      for (const open of exports) open.call?.(event);
    },
    event(event) {
      if (select([event]).length === 0) return;
      for (const open of exports) open.event?.(event);
    },
    ...(exchanges !== null && { engine: (event) => exchanges.engine(event) }),
    ...(wantsRecords && {
      record(record) {
        for (const open of exports) open.record?.(record);
      },
    }),
    async ready() {
      for (const open of exports) await open.ready?.();
    },
  };
}
