// The answer of `tracer find` for people: the verdict first, then where, then what could not be seen.

import type { BlindSpot, Hit } from '../../insight/index.ts';
import { bytes, counted } from '../../sinks/index.ts';
import { callIdText } from '../call-events.ts';
import type { Shown } from '../shown.ts';
import type { FindResult } from './result.ts';

/** Hits and blind spots that are listed; --json lists more. */
const MAX_LISTED = 50;

const NAMES = { text: 'the text', file: 'the file', sha256: 'a text with this hash' } as const;

export function* findText(result: FindResult, safe: Shown): Generator<string> {
  const sent = result.hits.filter(({ direction }) => direction === 'sent');
  const received = result.hits.filter(({ direction }) => direction === 'received');
  yield verdictText(result, sent);
  yield* listed(sent, (hit) => hitText(hit, safe), result.sent);
  if (result.received > 0) {
    yield `found in ${counted(result.received, 'answer')} that came in:`;
    yield* listed(received, (hit) => hitText(hit, safe), result.received);
  }
  if (result.blindSpots.length === 0) return;
  yield result.verdict === 'yes' ? 'what this recording does not show (there may be more):' : 'what could hide it:';
  yield* listed(result.blindSpots, (spot) => spotText(spot, safe), result.blindSpots.length + result.moreBlindSpots);
}

function verdictText({ verdict, what, sent, blindSpots }: FindResult, hits: readonly Hit[]): string {
  const name = NAMES[what];
  if (verdict === 'yes') {
    const isPart = hits.length > 0 && hits.every(({ partial }) => partial === true);
    return `yes: ${isPart ? `parts of ${name}` : name} left the machine in ${counted(sent, 'call')}`;
  }
  if (verdict === 'no') {
    const whole = what === 'sha256' ? ' (as a whole; a part of it cannot be found by a hash)' : '';
    return `no: ${name} was not sent${whole}; the recording is complete and was searched to its end`;
  }
  return `unknown: ${name} was not found, but ${counted(blindSpots.length, 'place')} could not be searched`;
}

function* listed<T>(list: readonly T[], line: (entry: T) => string, total: number): Generator<string> {
  for (const entry of list.slice(0, MAX_LISTED)) yield line(entry);
  if (total > MAX_LISTED) yield `  and ${total - Math.min(MAX_LISTED, list.length)} more (--json lists more)`;
}

function hitText(hit: Hit, safe: Shown): string {
  const model = hit.model === null ? '' : ` (${safe.line(hit.model)})`;
  const offset = hit.offset === undefined ? '' : ` at ${hit.offset}`;
  const lines =
    hit.lines === undefined
      ? ''
      : `, lines ${hit.lines
          .map(({ from, to }) => (from === to ? from : `${from}-${to}`))
          .slice(0, 8)
          .join(', ')}`;
  const mechanism = hit.mechanism === undefined ? '' : ` [${safe.line(hit.mechanism)}]`;
  const name = safe.line(hit.kind ?? hit.class);
  return `  ${callIdText(hit.call)}  ${name}  ${safe.line(hit.host ?? 'unknown host')}${model}  ${safe.line(hit.part)}${offset}: ${hit.how}${lines}${mechanism}`;
}

const spotText = ({ where, why, bytes: size }: BlindSpot, safe: Shown): string =>
  `  ${safe.line(where)}: ${safe.line(why)}${size === undefined ? '' : `, ${bytes(size)}`}`;
