// Whether a condition holds for an event, in three values: a field that this type of event does not have makes a test
// neither true nor false (null), and `not` leaves that as it is. So `not class:chat.*` means other calls, not every
// process and connection as well.

import type { FleetEvent } from '../model/index.ts';
import type { FieldRow, FilterContext } from './event-facts.ts';
import type { Condition } from './parse.ts';

export type Verdict = boolean | null;

const hasField = (row: FieldRow, event: FleetEvent): boolean => row.of.length === 0 || row.of.includes(event.type);

function any(verdicts: Iterable<Verdict>): Verdict {
  let result: Verdict = false;
  for (const verdict of verdicts) {
    if (verdict === true) return true;
    if (verdict === null) result = null;
  }
  return result;
}

const negated = (verdict: Verdict): Verdict => (verdict === null ? null : !verdict);

function* verdicts(conditions: readonly Condition[], event: FleetEvent, context: FilterContext): Iterable<Verdict> {
  for (const condition of conditions) yield evaluate(condition, event, context);
}

function* negatedVerdicts(
  conditions: readonly Condition[],
  event: FleetEvent,
  context: FilterContext,
): Iterable<Verdict> {
  for (const verdict of verdicts(conditions, event, context)) yield negated(verdict);
}

export function evaluate(condition: Condition, event: FleetEvent, context: FilterContext): Verdict {
  switch (condition.kind) {
    case 'test':
      if (!hasField(condition.row, event)) return null;
      return condition.row.values(event, context, condition.name).some(condition.test);
    case 'word': {
      const rows = condition.rows.filter((row) => hasField(row, event));
      return rows.some((row) => row.values(event, context, '').some(condition.test));
    }
    case 'not':
      return negated(evaluate(condition.condition, event, context));
    case 'any':
      return any(verdicts(condition.conditions, event, context));
    case 'all':
      return negated(any(negatedVerdicts(condition.conditions, event, context)));
  }
}
