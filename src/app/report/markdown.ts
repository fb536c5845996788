// The report as Markdown: the same facts as tables and lists, for an issue or a wiki.

import { SOURCE_KINDS } from '../../insight/index.ts';
import { bytes, counted, duration, exact, visible } from '../../sinks/index.ts';
import { moneyText } from '../cache/text.ts';
import { tlsText } from '../host-tls.ts';
import type { ConversationRow, ReportData } from './data.ts';

/** Rows of one table; the HTML and JSON forms hold more. */
const MAX_ROWS = 100;

/** Captured text cannot become markup: what Markdown and HTML act on is escaped. */
export const escapeMarkdown = (text: string): string =>
  visible(text).replace(/[\\`*_{}[\]()#+!|<>~&]/g, (char) =>
    char === '<' ? '&lt;' : char === '&' ? '&amp;' : `\\${char}`,
  );

const e = escapeMarkdown;

function* table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): Generator<string> {
  yield `| ${head.join(' | ')} |`;
  yield `|${head.map(() => ' --- ').join('|')}|`;
  for (const row of rows.slice(0, MAX_ROWS)) yield `| ${row.join(' | ')} |`;
  if (rows.length > MAX_ROWS) yield `\n… and ${counted(rows.length - MAX_ROWS, 'more row')}.`;
  yield '';
}

export function* markdownReport(data: ReportData): Generator<string> {
  const { totals } = data;
  yield '# What left the machine\n';
  yield `${e(data.recording)} · ${data.from.slice(0, 19).replace('T', ' ')} UTC · ${duration(data.durationMs)} · ${data.complete ? 'complete' : '**incomplete** (see the end)'}\n`;
  yield `${counted(totals.calls, 'call')}, ${exact(totals.llmCalls)} of them to models, ${counted(data.hosts.length, 'host')}; ${bytes(totals.sentBytes)} sent, ${bytes(totals.receivedBytes)} received; ${exact(totals.inputTokens)} input tokens (${exact(totals.cachedTokens)} cached), ${exact(totals.outputTokens)} output${totals.dollars === undefined ? '' : `; about ${moneyText(totals.dollars)} at list prices of ${e(data.prices.asOf)} (an estimate)`}.\n`;
  yield* findings(data);
  yield '## Hosts\n';
  yield* table(
    ['host', 'calls', 'sent', 'received', 'classes', 'TLS'],
    data.hosts.map((row) => [
      e(row.host),
      exact(row.calls),
      bytes(row.sentBytes),
      bytes(row.receivedBytes),
      e(row.classes.join(', ')),
      e(row.tls.map(tlsText).join(', ')),
    ]),
  );
  yield* models(data);
  yield* context(data);
  if (data.conversations.length > 0) yield '## Conversations\n';
  for (const conversation of data.conversations) yield* conversationText(conversation);
  yield* breaks(data);
  yield* gaps(data);
  yield `---\n\nMade by ${e(data.tool)}. Secrets are replaced by their kind and a fingerprint. Token counts with ~ are estimates.`;
}

function* findings({ findings: rows }: ReportData): Generator<string> {
  if (rows.length === 0) return;
  yield '## Findings\n';
  yield* table(
    ['severity', 'what', 'where', 'sent', 'fingerprint'],
    rows.map((row) => [
      e(row.severity),
      e(row.title),
      e(`${row.call}, ${row.where}`),
      `${row.timesSent}×`,
      `\\#${e(row.fingerprint)}`,
    ]),
  );
}

function* models({ models: rows, prices }: ReportData): Generator<string> {
  if (rows.length === 0) return;
  yield '## Models, tokens and cost\n';
  yield* table(
    ['model', 'calls', 'input', 'cached', 'output', `estimate, ${e(prices.asOf)}`],
    rows.map((row) => [
      e(row.model),
      exact(row.calls),
      exact(row.input),
      exact(row.cached),
      exact(row.output),
      row.dollars === undefined ? 'no price' : moneyText(row.dollars),
    ]),
  );
}

function* context({ contextKinds, files, filesLeft }: ReportData): Generator<string> {
  if (contextKinds.length === 0) return;
  yield '## What the requests carried\n';
  yield* table(
    ['kind', 'calls', 'files', 'sent with repeats', 'tokens', 'how'],
    contextKinds.map((row) => [
      e(row.label),
      exact(row.calls),
      row.files,
      bytes(row.sentBytes),
      `~${exact(row.sentTokens)}`,
      e(row.how),
    ]),
  );
  if (files.length === 0) return;
  yield '## Files that went out\n';
  yield* table(
    ['file', 'how', 'calls', 'content', 'to'],
    files.map((row) => [
      `${e(row.path)}${row.hidden ? ' (hidden)' : ''}`,
      e(row.mechanisms.map(({ kind, calls }) => `${SOURCE_KINDS[kind].label} ${calls}×`).join(', ')),
      exact(row.calls),
      bytes(row.bytes),
      e(Object.keys(row.hosts).join(', ')),
    ]),
  );
  if (filesLeft > 0) yield `and ${counted(filesLeft, 'further file')}\n`;
}

function* conversationText({ number, kind, parent, turns }: ConversationRow): Generator<string> {
  yield `### ${number} · ${e(kind)}${parent === undefined ? '' : ` (started by conversation ${parent})`}\n`;
  for (const { asked, rounds } of turns) {
    yield `- **${e(asked.replace(/\s+/g, ' ').trim())}**`;
    for (const { call, model, startMs, endMs, tools } of rounds) {
      const names = tools
        .map(({ name, durationMs }) => `${name}${durationMs === undefined ? '' : ` ${duration(durationMs)}`}`)
        .join(', ');
      yield `  - ${call} ${e(model)}, ${duration(Math.max(0, endMs - startMs))}${names === '' ? '' : `: ${e(names)}`}`;
    }
  }
  yield '';
}

function* breaks({ cacheBreaks }: ReportData): Generator<string> {
  if (cacheBreaks.length === 0) return;
  yield '## Cache breaks\n';
  yield* table(
    ['call', 'why', 'tokens not reused', 'estimate', 'from', 'to'],
    cacheBreaks.map((row) => [
      row.call,
      e(row.cause),
      `~${exact(row.lostTokens)}`,
      row.dollars === undefined ? '' : moneyText(row.dollars),
      e(row.removed ?? ''),
      e(row.added ?? ''),
    ]),
  );
}

function* gaps({ gaps: rows }: ReportData): Generator<string> {
  yield '## What is not in here\n';
  if (rows.length === 0) yield 'Nothing that was sent by the traced processes is missing from the recording.\n';
  else
    yield* table(
      ['where', 'why', 'size'],
      rows.map((row) => [e(row.where), e(row.why), row.bytes === undefined ? '' : bytes(row.bytes)]),
    );
}
