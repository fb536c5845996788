// `--alert`: findings as events, right behind the call that has them, in a live run and in its replay alike.

import type { CallCompleted, FindingEvent, TraceEvent } from '../model/index.ts';
import { createInspector, type KeptRules, reaches } from '../privacy/index.ts';
import { createJudge } from './audit/known-hosts.ts';
import type { AlertSettings } from './types.ts';

/** Findings that an event (secrets in place) and the fact that it was made from give rise to. */
export type Alert = (event: TraceEvent, fact: CallCompleted | undefined) => readonly FindingEvent[];

const SILENT: Alert = () => [];

export function createAlert(settings: AlertSettings | undefined, key: Uint8Array, kept: KeptRules): Alert {
  if (settings === undefined) return SILENT;
  const { least, allowHosts } = settings;
  const inspector = createInspector({ key, kept, judge: createJudge(allowHosts), personal: least === 'low' });
  return (event, fact) => {
    if (event.type === 'connection') inspector.connection(event);
    return event.type === 'call'
      ? inspector.call(event, fact?.bodies).filter((one) => reaches(one.severity, least))
      : [];
  };
}
