// Which events go out: those that the user's filter wants. A filter must not hide that something is missing: losses and the
// summary always pass.

import { TracerError } from '../errors.ts';
import { createFilter, type EventFilter, isMistake } from '../filter/index.ts';
import type { TraceEvent } from '../model/index.ts';

const ALWAYS: ReadonlySet<TraceEvent['type']> = new Set(['loss', 'summary']);

/** Throws E_FILTER_INVALID. */
export function filterOf(text: string): EventFilter {
  const filter = createFilter(text);
  if (isMistake(filter)) throw new TracerError('E_FILTER_INVALID', { ...filter });
  return filter;
}

/** Throws E_FILTER_INVALID when the text is no filter. */
export const checkFilter = (text: string): void => void filterOf(text);

/** Events that belong together (a call and its findings), and of these the wanted ones. */
export type Selection = (batch: readonly TraceEvent[]) => readonly TraceEvent[];

/** Throws E_FILTER_INVALID. */
export function createSelection(text: string | undefined): Selection {
  if (text === undefined) return (batch) => batch;
  const filter = filterOf(text);
  return (batch) => {
    for (const event of batch) if (event.type === 'finding') filter.expect(event);
    return batch.filter((event) => ALWAYS.has(event.type) || filter.accepts(event));
  };
}
