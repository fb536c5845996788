// `tracer curl`: one call of a recording as a command that repeats its request.

import { TracerError } from '../errors.ts';
import type { ExchangeCopy } from '../model/index.ts';
import { curlCommand } from '../sinks/index.ts';
import { type AnalysisResult, type AnalysisSettings, analyse } from './analysis.ts';
import { ExchangeCollector } from './exchange-collector.ts';

export interface CurlResult extends AnalysisResult {
  readonly lines: readonly string[];
}

/** Throws E_RECORDING_UNREADABLE, E_RECORDING_NO_CALL. */
export async function curl(file: string, call: string, settings: AnalysisSettings): Promise<CurlResult> {
  const found: ExchangeCopy[] = [];
  const collectors: ExchangeCollector[] = [];
  const result = await analyse(file, settings, (redactor, session) => {
    const onExchange = (copy: ExchangeCopy): void => {
      if (copy.id === call && copy.messages === null) found.push(copy);
    };
    const collector = new ExchangeCollector({ redactor, session, onExchange });
    collectors.push(collector);
    return { engine: (event) => collector.engine(event) };
  });
  for (const collector of collectors) collector.finish();
  const [exchange] = found;
  if (exchange === undefined) throw new TracerError('E_RECORDING_NO_CALL', { path: file, call });
  return { ...result, lines: curlCommand(exchange) };
}
