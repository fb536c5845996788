// Cases as Markdown: `## name`, then input blocks and one `events` block. In input blocks line breaks are only layout;
// bytes that are not printed as themselves are written \r, \n, \t, \\ or \xNN. Info strings: `out`, `in` (bytes),
// `gap-out N`, `gap-in N` (lost bytes; empty block), `end closed|exit|capture-end` (empty block).
// The events block is the parser's log, one line per event: direction:offset of the byte that completed it.

import type { Dir, EndReason } from '../../src/model/index.ts';
import type { Protocol, ProtoEvent } from '../../src/protocols/index.ts';

export type Step =
  | { readonly kind: 'data'; readonly dir: Dir; readonly bytes: Uint8Array }
  | { readonly kind: 'gap'; readonly dir: Dir; readonly lostBytes: number }
  | { readonly kind: 'end'; readonly why: EndReason };

export interface WireCase {
  readonly name: string;
  readonly steps: readonly Step[];
  readonly events: string;
}

const ESCAPES: Readonly<Record<string, string>> = { r: '\r', n: '\n', t: '\t', '\\': '\\' };

export const wireBytes = (text: string): Uint8Array =>
  Uint8Array.from(
    Buffer.from(
      text
        .replace(/\n/g, '')
        .replace(/\\(?:x([0-9a-f]{2})|(.))/gi, (_, hex?: string, char?: string) =>
          hex === undefined ? (ESCAPES[char ?? ''] ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
        ),
      'latin1',
    ),
  );

function stepOf(info: string, body: string): Step {
  const [word = '', argument = ''] = info.split(' ');
  if (word === 'out' || word === 'in') return { kind: 'data', dir: word, bytes: wireBytes(body) };
  if (word === 'end') return { kind: 'end', why: argument as EndReason };
  if (word === 'gap-out' || word === 'gap-in')
    return { kind: 'gap', dir: word === 'gap-out' ? 'out' : 'in', lostBytes: Number(argument) };
  throw new Error(`unknown block: ${info}`);
}

export function parseCases(markdown: string): WireCase[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const name = section.slice(0, section.indexOf('\n')).trim();
      const blocks = [...section.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(([, info = '', body = '']) => ({
        info,
        body,
      }));
      const events = blocks.find(({ info }) => info === 'events')?.body ?? '';
      const steps = blocks.filter(({ info }) => info !== 'events').map(({ info, body }) => stepOf(info, body));
      return { name, steps, events };
    });
}

const short = (bytes: Uint8Array): string => JSON.stringify(Buffer.from(bytes).toString('latin1'));

function describeEvent(event: ProtoEvent): string {
  switch (event.type) {
    case 'request-head': {
      const { method, scheme, authority, path, httpVersion, headers } = event.head;
      const where = [scheme === null ? '' : `${scheme}://`, authority ?? '-', path === null ? '' : ` ${path}`].join('');
      const late = event.joinedLate ? ' late' : '';
      return `request-head ${event.stream}${late} ${httpVersion} ${method} ${where} ${JSON.stringify(headers)}`;
    }
    case 'response-head': {
      const { httpVersion, status, reason, headers } = event.head;
      const late = event.joinedLate ? ' late' : '';
      return `response-head ${event.stream}${late} ${httpVersion} ${status} ${JSON.stringify(reason ?? '')} ${JSON.stringify(headers)}`;
    }
    case 'informational':
      return `informational ${event.stream} ${event.head.status} ${JSON.stringify(event.head.headers)}`;
    case 'body':
      return `body ${event.stream} ${event.side} ${short(event.bytes)}`;
    case 'body-gap':
      return `body-gap ${event.stream} ${event.side} ${event.lostBytes}`;
    case 'trailers':
      return `trailers ${event.stream} ${event.side} ${JSON.stringify(event.headers)}`;
    case 'side-end':
      return `side-end ${event.stream} ${event.side}`;
    case 'reset':
      return `reset ${event.stream} by ${event.by} ${event.errorCode}`;
    case 'lost':
      return `lost ${event.stream}`;
    case 'upgrade':
      return `upgrade ${event.stream} ${event.to} out=${short(event.leftOver.out)} in=${short(event.leftOver.in)}`;
    case 'message':
      return `message ${event.stream} ${event.side} ${event.binary ? short(event.bytes) : JSON.stringify(event.text)}`;
    case 'close-code':
      return `close-code ${event.stream} ${event.side} ${event.code}`;
    case 'wire-error':
      return `wire-error ${event.stream ?? '-'} ${event.code}`;
    default:
      return `give-up ${event.reason}`;
  }
}

interface Line {
  at: string;
  event: ProtoEvent;
}

/** Adjacent body pieces of one stream and side are one piece: how a body is cut says nothing. */
function push(lines: Line[], at: string, event: ProtoEvent): void {
  const last = lines.at(-1);
  if (
    event.type === 'body' &&
    last?.event.type === 'body' &&
    last.event.stream === event.stream &&
    last.event.side === event.side
  ) {
    last.event = { ...event, bytes: Buffer.concat([last.event.bytes, event.bytes]) };
    last.at = at;
  } else lines.push({ at, event: event.type === 'body' ? { ...event, bytes: event.bytes.slice() } : event });
}

/** Runs steps through a parser. `pieceBytes` gives the size of the next piece that data is cut into. */
export function runSteps(
  open: Protocol['open'],
  steps: readonly Step[],
  pieceBytes: () => number = () => 1,
  options: { isWhole?: boolean; withOffsets?: boolean } = {},
): string[] {
  const { isWhole = true, withOffsets = true } = options;
  const lines: Line[] = [];
  const offset = { out: 0, in: 0 };
  let where = '';
  const emit = (event: ProtoEvent): void =>
    push(lines, where, 'bytes' in event ? { ...event, bytes: event.bytes.slice() } : event);
  const parser = open({ emit, outWhole: isWhole, inWhole: isWhole });
  for (const step of steps) {
    if (step.kind === 'end') {
      where = 'end';
      parser.end('out', step.why, 0n);
      parser.end('in', step.why, 0n);
    } else if (step.kind === 'gap') {
      offset[step.dir] += step.lostBytes;
      where = `${step.dir}:${offset[step.dir]}`;
      parser.gap(step.dir, step.lostBytes, 0n);
    } else {
      for (let at = 0; at < step.bytes.length; ) {
        const piece = step.bytes.subarray(at, at + Math.max(1, pieceBytes()));
        at += piece.length;
        offset[step.dir] += piece.length;
        where = `${step.dir}:${offset[step.dir]}`;
        parser.data(step.dir, piece, 0n);
      }
    }
  }
  return lines.map(({ at, event }) => (withOffsets ? `${at} ${describeEvent(event)}` : describeEvent(event)));
}

/** The Markdown of a file with its events blocks replaced by what the parser says. For `TRACER_GOLDEN=1`. */
export function withEvents(markdown: string, eventsOf: (wireCase: WireCase) => readonly string[]): string {
  const cases = parseCases(markdown);
  let index = 0;
  return markdown.replace(/^```events\n[\s\S]*?^```$/gm, () => {
    const wireCase = cases[index++];
    return wireCase === undefined ? '' : ['```events', ...eventsOf(wireCase), '```'].join('\n');
  });
}
