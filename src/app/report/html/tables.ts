// The tables of the report: findings, hosts, models, context, files, gaps.

import { SOURCE_KINDS } from '../../../insight/index.ts';
import { bytes, counted, exact } from '../../../sinks/index.ts';
import { moneyText } from '../../cache/text.ts';
import { type TlsRow, tlsText } from '../../host-tls.ts';
import type { FindingRow, HostRow, ModelRow, ReportData, ReportFile } from '../data.ts';
import { type Html, html, NOTHING } from './template.ts';

const percent = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part / whole) * 1000) / 10);

const bar = (part: number, whole: number, second = 0): Html =>
  html`<div class="bar"><i style="width:${percent(part, whole)}%"></i>${second > 0 ? html`<i class="second" style="width:${percent(second, whole)}%"></i>` : NOTHING}</div>`;

export function findingsSection({ findings }: ReportData): Html {
  if (findings.length === 0) return NOTHING;
  return html`<h2 id="findings">Findings</h2>
<p class="lead">What should perhaps not have left the machine. A secret is named by its fingerprint only; <code>tracer audit</code> explains each rule and looks at more.</p>
<div class="card"><table><tr><th>severity</th><th>what</th><th>where</th><th class="n">sent</th><th>fingerprint</th></tr>${findings.map(findingRow)}</table></div>`;
}

const findingRow = ({ severity, title, rule, call, where, timesSent, fingerprint }: FindingRow): Html =>
  html`<tr><td class="sev-${severity}">${severity}</td><td>${title}<br><span class="soft mono">${rule}</span></td><td class="path">${call}, ${where}</td><td class="n">${timesSent}×</td><td class="mono">#${fingerprint}</td></tr>`;

export function hostsSection({ hosts }: ReportData): Html {
  if (hosts.length === 0) return NOTHING;
  const most = Math.max(...hosts.map(({ sentBytes }) => sentBytes));
  return html`<h2 id="hosts">Hosts</h2>
<p class="lead">Who was talked to, and how much was sent there.</p>
<div class="card"><table><tr><th>host</th><th class="n">calls</th><th class="n">failed</th><th class="n">sent</th><th></th><th class="n">received</th><th>classes</th><th>TLS</th></tr>${hosts.map((row) => hostRow(row, most))}</table></div>`;
}

/** Classes of one host that are listed. */
const MAX_CLASSES = 8;

function hostRow({ host, calls, failed, sentBytes, receivedBytes, classes, tls }: HostRow, most: number): Html {
  const chips = classes.slice(0, MAX_CLASSES).map((name) => html`<span class="chip">${name}</span>`);
  const more =
    classes.length > MAX_CLASSES ? html`<span class="soft">and ${classes.length - MAX_CLASSES} more</span>` : NOTHING;
  return html`<tr><td class="path mono">${host}</td><td class="n">${exact(calls)}</td><td class="n">${failed === 0 ? '' : exact(failed)}</td><td class="n">${bytes(sentBytes)}</td><td>${bar(sentBytes, most)}</td><td class="n">${bytes(receivedBytes)}</td><td>${chips}${more}</td><td class="soft">${tls.map(tlsLine)}</td></tr>`;
}

const tlsLine = (row: TlsRow): Html =>
  html`<div>${tlsText(row)}${row.connections > 1 ? ` ${row.connections}×` : ''}</div>`;

export function modelsSection({ models, prices, premium }: ReportData): Html {
  if (models.length === 0) return NOTHING;
  const most = Math.max(...models.map(({ input }) => input));
  const multipliers = premium.map(
    ({ model, userCalls, multiplier, requests }) =>
      html`<li>${model}: ${counted(userCalls, 'call')} by the user${multiplier === undefined ? ', multiplier not seen' : ` × ${multiplier} = ${requests ?? '?'}`}</li>`,
  );
  return html`<h2 id="models">Models, tokens and cost</h2>
<p class="lead">Tokens as the providers reported them; green is what they read from their caches. Cost is an <b>estimate</b> at ${prices.source} of ${prices.asOf}: a subscription pays otherwise.</p>
<div class="card"><table><tr><th>model</th><th class="n">calls</th><th class="n">input</th><th>of it cached</th><th class="n">cached</th><th class="n">output</th><th class="n">estimate</th></tr>${models.map((row) => modelRow(row, most))}</table>
${multipliers.length === 0 ? NOTHING : html`<p><b>Premium requests</b></p><ul>${multipliers}</ul>`}</div>`;
}

const modelRow = ({ model, calls, unreported, input, cached, output, dollars }: ModelRow, most: number): Html =>
  html`<tr><td class="path mono">${model}${unreported === 0 ? NOTHING : html`<br><span class="soft">${counted(unreported, 'call')} without reported tokens</span>`}</td><td class="n">${exact(calls)}</td><td class="n">${exact(input)}</td><td>${bar(input, most, cached)}</td><td class="n">${exact(cached)}</td><td class="n">${exact(output)}</td><td class="n">${dollars === undefined ? 'no price' : moneyText(dollars)}</td></tr>`;

export function contextSection({ contextKinds, files, filesLeft }: ReportData): Html {
  if (contextKinds.length === 0) return NOTHING;
  const most = Math.max(...contextKinds.map(({ sentBytes }) => sentBytes));
  const kinds = contextKinds.map(
    (row) =>
      html`<tr><td>${row.label}<br><span class="soft">${row.how}</span></td><td class="n">${exact(row.calls)}</td><td class="n">${row.files === 0 ? '' : exact(row.files)}</td><td class="n">${bytes(row.sentBytes)}</td><td>${bar(row.sentBytes, most)}</td><td class="n">~${exact(row.sentTokens)}</td></tr>`,
  );
  return html`<h2 id="context">What the requests carried</h2>
<p class="lead">Every request taken apart. Sizes count repeats: what is sent again with every round counts every time. Tokens are estimates.</p>
<div class="card"><table><tr><th>kind</th><th class="n">calls</th><th class="n">files</th><th class="n">sent</th><th></th><th class="n">tokens</th></tr>${kinds}</table></div>
${filesTable(files, filesLeft)}`;
}

function filesTable(files: readonly ReportFile[], left: number): Html {
  if (files.length === 0) return NOTHING;
  return html`<h2 id="files">Files that went out</h2>
<p class="lead">Each file with the ways in which it got into requests. A completion <i>inside</i> a file is another matter than a file pulled into requests for others.</p>
<div class="card"><table><tr><th>file</th><th>how</th><th class="n">calls</th><th class="n">content</th><th class="n">with repeats</th><th>to</th></tr>${files.map(fileRow)}</table>
${left === 0 ? NOTHING : html`<p class="soft">and ${counted(left, 'further file')}</p>`}</div>`;
}

function fileRow({ path, hidden, mechanisms, calls, bytes: size, sentBytes, hosts, models, lines }: ReportFile): Html {
  const how = mechanisms.map(
    ({ kind, calls: carrying }) =>
      html`<span class="chip" title="${SOURCE_KINDS[kind].how}">${SOURCE_KINDS[kind].label} ${carrying}×</span>`,
  );
  const ranges = lines.slice(0, 6).map(({ from, to }) => (from === to ? `${from}` : `${from}–${to}`));
  const where =
    ranges.length === 0
      ? NOTHING
      : html`<br><span class="soft">lines ${ranges.join(', ')}${lines.length > 6 ? ' …' : ''}</span>`;
  return html`<tr><td class="path mono">${path}${hidden ? html` <span class="chip alert">hidden</span>` : NOTHING}${where}</td><td>${how}</td><td class="n">${exact(calls)}</td><td class="n">${bytes(size)}</td><td class="n">${bytes(sentBytes)}</td><td class="path">${Object.keys(hosts).join(', ')}<br><span class="soft">${Object.keys(models).join(', ')}</span></td></tr>`;
}

export function gapsSection({ gaps, processes }: ReportData): Html {
  const rows = gaps
    .slice(0, 100)
    .map(
      ({ where, why, bytes: size }) =>
        html`<tr><td class="mono">${where}</td><td>${why}</td><td class="n">${size === undefined ? '' : bytes(size)}</td></tr>`,
    );
  const body =
    gaps.length === 0
      ? html`<p class="lead">Nothing that was sent by the traced processes is missing from the recording.</p>`
      : html`<p class="lead">Where something could have been sent that this report does not know.</p><div class="card"><table><tr><th>where</th><th>why</th><th class="n">size</th></tr>${rows}</table></div>`;
  const names = processes.map(
    ({ pid, name, role }) => html`<span class="chip">${name} ${pid}${role === '' ? '' : `, ${role}`}</span>`,
  );
  return html`<h2 id="gaps">What is not in here</h2>${body}<p class="soft">Traced: ${names}</p>`;
}
