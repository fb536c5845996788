// What a reader of the bus says at its end.

import { counted, type InboundCounts } from '../sinks/index.ts';

/** True when something that was sent is not there. */
export const hasGaps = ({ missing, unusable }: InboundCounts): boolean => missing + unusable > 0;

export function countsText({ events, duplicates, missing, unusable }: InboundCounts): string {
  const parts = [counted(events, 'event')];
  if (duplicates > 0) parts.push(`${duplicates} came twice and are shown once`);
  if (missing > 0) parts.push(`${missing} missing`);
  if (unusable > 0) parts.push(`${counted(unusable, 'message')} that ${unusable === 1 ? 'is' : 'are'} no whole event`);
  return parts.join(', ');
}
