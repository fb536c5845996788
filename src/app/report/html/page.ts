// The report as one HTML file: no script, nothing loaded, so that it can be mailed and opened anywhere. The policy in its
// head forbids everything but its own style.

import { bytes, counted, duration, exact } from '../../../sinks/index.ts';
import { moneyText } from '../../cache/text.ts';
import type { ReportData } from '../data.ts';
import { conversationsSection } from './conversations.ts';
import { STYLE } from './style.ts';
import { contextSection, findingsSection, gapsSection, hostsSection, modelsSection } from './tables.ts';
import { type Html, html } from './template.ts';
import { timelineSection } from './timeline.ts';

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** In pieces, so that a long one is not made twice in memory. */
export function* htmlReport(data: ReportData): Generator<string> {
  yield html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<title>${data.recording}: what left the machine</title><style>${{ markup: STYLE }}</style></head><body><main>`.markup;
  yield header(data).markup;
  for (const section of [findingsSection, timelineSection, hostsSection, modelsSection, contextSection])
    yield section(data).markup;
  for (const { markup } of conversationsSection(data)) yield markup;
  yield gapsSection(data).markup;
  yield footer(data).markup;
}

function header(data: ReportData): Html {
  const { recording, from, durationMs, complete, findings } = data;
  const high = findings.filter(({ severity }) => severity === 'high').length;
  const badges = [
    complete
      ? html`<span class="badge good">complete</span>`
      : html`<span class="badge warn">incomplete: see the end</span>`,
    ...(high > 0 ? [html` <span class="badge bad">${counted(high, 'high finding')}</span>`] : []),
  ];
  return html`<header><h1>What left the machine</h1>
<p class="lead"><span class="mono">${recording}</span> · ${from.slice(0, 19).replace('T', ' ')} UTC · ${duration(durationMs)} · ${badges}</p>
${nav(data)}</header>
<div class="tiles">${tiles(data)}</div>`;
}

function tiles({ totals, hosts, models }: ReportData): Html[] {
  const unpriced = models.some(({ dollars }) => dollars === undefined) ? ', models without a price left out' : '';
  return [
    tile(exact(totals.calls), totals.calls === 1 ? 'call' : 'calls'),
    tile(exact(totals.llmCalls), 'of them to models'),
    tile(exact(hosts.length), hosts.length === 1 ? 'host' : 'hosts'),
    tile(bytes(totals.sentBytes), 'sent in bodies'),
    tile(bytes(totals.receivedBytes), 'received'),
    tile(exact(totals.inputTokens), `input tokens, ${exact(totals.cachedTokens)} of them cached`),
    tile(exact(totals.outputTokens), 'output tokens'),
    ...(totals.dollars === undefined ? [] : [tile(coarse(totals.dollars), `estimate at list prices${unpriced}`)]),
    ...(totals.premiumRequests === undefined
      ? []
      : [tile(String(Math.round(totals.premiumRequests * 100) / 100), 'premium requests')]),
  ];
}

/** In large type, fractions of a cent say nothing. */
const coarse = (dollars: number): string => (dollars > 0 && dollars < 0.01 ? '<$0.01' : moneyText(dollars));

const tile = (value: string, name: string): Html => html`<div class="tile"><b>${value}</b><span>${name}</span></div>`;

function nav({ findings, models, contextKinds, files, conversations }: ReportData): Html {
  const links: [string, string, boolean][] = [
    ['findings', 'Findings', findings.length > 0],
    ['time', 'Calls over time', true],
    ['hosts', 'Hosts', true],
    ['models', 'Models and cost', models.length > 0],
    ['context', 'Context', contextKinds.length > 0],
    ['files', 'Files', files.length > 0],
    ['conversations', 'Conversations', conversations.length > 0],
    ['gaps', 'Gaps', true],
  ];
  return html`<nav>${links.filter(([, , isThere]) => isThere).map(([id, name]) => html`<a href="#${id}">${name}</a>`)}</nav>`;
}

const footer = ({ tool, prices }: ReportData): Html =>
  html`<footer>Made by ${tool} from a recording of what the traced processes sent and received over TLS. Secrets are replaced by their kind and a fingerprint. Token counts with ~ are estimates; cost is an estimate at list prices of ${prices.asOf}. Mechanisms say what a request looks like, not what the client intended.</footer></main></body></html>
`;
