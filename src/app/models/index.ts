// Door of the folder: what the command `models` says of a recording.

import { ModelsLog } from '../../insight/index.ts';
import { painter } from '../../sinks/index.ts';
import { type AnalysedCall, type AnalysisSettings, analyse } from '../analysis.ts';
import type { Answer, TextView } from '../conversations/index.ts';
import { WallTime } from '../wall.ts';
import { modelsJson } from './json.ts';
import { modelsText } from './text.ts';

export async function models(file: string, settings: AnalysisSettings, view: TextView): Promise<Answer> {
  const log = new ModelsLog();
  const wall = new WallTime();
  const { exitCode, problem } = await analyse(file, settings, {
    call: ({ event, call }: AnalysedCall) => {
      wall.learn(event);
      log.accept(call);
    },
  });
  const report = log.report();
  const text = modelsText(report, { columns: view.columns, paint: painter(view.color), wall });
  return { text, json: modelsJson(report, wall), exitCode, problem };
}
