// The comparison for people: what differs first; what agrees as a number.

import type { Compared, DebugLog, LoggedCall, WireCall } from '../../insight/index.ts';
import { counted, exact } from '../../sinks/index.ts';
import { callIdText } from '../call-events.ts';
import type { Shown } from '../shown.ts';

/** Entries of each sort that are listed. */
const MAX_LISTED = 50;

export function* compareText(compared: Compared, log: DebugLog, shown: Shown): Generator<string> {
  const { pairs, onlyLogged, onlyWire, tools, prompts, promptsNotSent } = compared;
  const unequal = pairs.filter(({ differences }) => differences.length > 0);
  yield `${counted(pairs.length, 'call')} in both, ${pairs.length - unequal.length} of them equal; ${counted(onlyLogged.length, 'call')} only in the log; ${counted(onlyWire.length, 'call')} only in the recording`;
  for (const { wire, differences } of unequal.slice(0, MAX_LISTED)) {
    const texts = differences.map(
      ({ what, wire: a, logged: b }) =>
        `${what} ${shown.line(String(a))} on the wire, ${shown.line(String(b))} in the log`,
    );
    yield `  ${callIdText(wire.id)} ${nameOf(wire, shown)}: ${texts.join('; ')}`;
  }
  if (onlyLogged.length > 0) yield 'only in the log (the capture did not see them, or they went another way):';
  for (const logged of onlyLogged.slice(0, MAX_LISTED)) yield `  ${loggedText(logged, shown)}`;
  if (onlyWire.length > 0) yield 'only in the recording:';
  for (const { call, expected } of onlyWire.slice(0, MAX_LISTED)) {
    yield `  ${callIdText(call.id)} ${nameOf(call, shown)}${expected === undefined ? '' : `: ${expected}`}`;
  }
  const other = tools.filter(({ wire, logged }) => wire !== logged);
  if (tools.length > 0)
    yield `${counted(tools.length, 'tool')}, ${tools.length - other.length} of them called equally often`;
  for (const { name, wire, logged } of other.slice(0, MAX_LISTED))
    yield `  ${shown.line(name)}: ${wire} on the wire, ${logged} in the log`;
  if (prompts > 0) yield `${counted(prompts, 'prompt')} in the log, ${promptsNotSent} of them not in any request`;
  if (log.unreadable > 0) yield `${counted(log.unreadable, 'line')} of the log could not be read`;
}

const nameOf = ({ kind, class: callClass, model }: WireCall, shown: Shown): string =>
  `${shown.line(kind ?? callClass)} (${shown.line(model ?? 'no model')})`;

function loggedText({ atMs, name, model, input, output }: LoggedCall, shown: Shown): string {
  const time = atMs === null ? '' : `${new Date(atMs).toISOString()} `;
  const tokens =
    input === undefined ? '' : `, ${counted(input, 'token')} in, ${output === undefined ? '?' : exact(output)} out`;
  return `${time}${shown.line(name)} (${shown.line(model ?? 'no model')}${tokens})`;
}
