// An audit as text for people. Everything that came from the traffic is made safe for a terminal.

import { type Finding, ruleNamed } from '../../privacy/index.ts';
import { visible } from '../../sinks/index.ts';
import { tlsText } from '../host-tls.ts';
import type { AuditReport } from './audit.ts';
import type { HostRow } from './hosts.ts';
import type { ServiceRow } from './request-log.ts';

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;

const placeOf = ({ where, item, file, offset }: Finding): string =>
  [
    where,
    ...(item === undefined ? [] : [`in ${item}`]),
    ...(file === undefined ? [] : [`from ${file}`]),
    ...(offset === undefined ? [] : [`at ${offset}`]),
  ].join(' ');

const receiversOf = ({ receivers }: Finding): string =>
  receivers.map(({ host, model }) => `${host ?? 'unknown'}${model === null ? '' : ` (${model})`}`).join(', ');

function findingLines(finding: Finding): string[] {
  const { severity, rule, call, title, fingerprint, timesSent, answeredBack, firstSeen } = finding;
  const to = receiversOf(finding);
  const times = timesSent > 1 ? `, sent ${timesSent} times` : '';
  const facts = [
    `${call} ${placeOf(finding)}`,
    ...(to === '' ? [] : [`to ${to}`]),
    `first ${firstSeen}${times}${answeredBack ? ', in an answer' : ''}`,
  ];
  return [
    `${severity.toUpperCase().padEnd(6)}  ${rule}  ${title ?? ruleNamed(rule).title}  #${fingerprint}`,
    ...facts.map((fact) => `        ${fact}`),
  ];
}

/** Each advice once, in the order of the findings. */
const adviceLines = (findings: readonly Finding[]): string[] => {
  const rules = [...new Set(findings.filter(({ severity }) => severity !== 'low').map(({ rule }) => rule))];
  return rules.map((rule) => `        ${rule}: ${ruleNamed(rule).advice}`);
};

const serviceLine = (row: ServiceRow): string =>
  [
    row.known ? ' ' : '!',
    row.class,
    row.host ?? 'unknown',
    count(row.calls, 'call') + (row.failed > 0 ? ` (${row.failed} failed)` : ''),
    row.auth.length > 0 ? row.auth.join(', ') : 'no credential',
    `${row.requestBytes} B out, ${row.responseBytes} B in`,
  ].join('  ');

const hostLine = ({ host, known, connections }: HostRow): string =>
  [known ? ' ' : '!', host, count(connections, 'connection')].join('  ');

const tlsLines = ({ host, tls }: HostRow): string[] =>
  tls.map((row) => `  ${host}  ${tlsText(row)}  ${count(row.connections, 'connection')}`);

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, ...lines];

/** The whole report, newline at its end. */
export function auditText(report: AuditReport): string {
  const { files, calls, findings, findingsLeft, services, hosts, complete } = report;
  const left = findingsLeft > 0 ? [`        and ${findingsLeft} more`] : [];
  const lines = [
    `${files.join(', ')}: ${count(calls, 'call')}, ${count(findings.length + findingsLeft, 'finding')}${complete ? '' : ' (the recording is incomplete)'}`,
    ...section('Findings', [...findings.flatMap(findingLines), ...left]),
    ...section('What to do', adviceLines(findings)),
    ...section('Services (! not on the allow list)', services.map(serviceLine)),
    ...section('Hosts without a call', hosts.filter(({ calls: made }) => made === 0).map(hostLine)),
    ...section('TLS, where the library told', hosts.flatMap(tlsLines)),
  ];
  return `${lines.map(visible).join('\n')}\n`;
}
