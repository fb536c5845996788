// Findings as SARIF 2.1.0 (OASIS standard, 27 March 2020) for the tools of security teams. Sections in comments are the
// standard's. A result names the file that the secret came from when that is known, else the recording.

import { FINDING_RULES, type Finding, type FindingRule, ruleNamed, type Severity } from '../../privacy/index.ts';
import { safeJson } from '../../sinks/index.ts';
import type { AuditReport } from './audit.ts';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** §3.27.10. */
const LEVELS: Readonly<Record<Severity, string>> = { high: 'error', medium: 'warning', low: 'note' };
/** What code hosts sort by: a score as in CVSS, as text. */
const SCORES: Readonly<Record<Severity, string>> = { high: '8.0', medium: '5.0', low: '2.0' };

const ruleOf = ({ rule, severity, title, advice }: FindingRule) => ({
  id: rule,
  name: rule.replace(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
  shortDescription: { text: title },
  fullDescription: { text: title },
  help: { text: advice },
  defaultConfiguration: { level: LEVELS[severity] },
  properties: { tags: ['security'], 'security-severity': SCORES[severity] },
});

/** §3.4.3: a URI reference (RFC 3986); an absolute path becomes a file URI. */
function uriOf(path: string): string {
  const slashes = path.replaceAll('\\', '/');
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(slashes)) return encodeURI(decodeLenient(slashes));
  const encoded = slashes.split('/').map(encodeURIComponent).join('/');
  if (slashes.startsWith('/')) return `file://${encoded}`;
  return /^[a-z]%3A\//i.test(encoded) ? `file:///${encoded.replace('%3A', ':')}` : encoded;
}

const decodeLenient = (text: string): string => {
  try {
    return decodeURI(text);
  } catch {
    return text.replaceAll('%', '%25');
  }
};

const messageOf = ({ title, rule, where, receivers, timesSent }: Finding): string => {
  const to = receivers.map(({ host }) => host ?? 'an unknown host').join(', ');
  const sent = to === '' ? '' : ` was sent to ${to}`;
  const times = timesSent > 1 ? `, ${timesSent} times` : '';
  return `${title ?? ruleNamed(rule).title}${sent}${times} (${where}).`;
};

const resultOf = (finding: Finding, recording: string, index: number) => ({
  ruleId: finding.rule,
  ruleIndex: index,
  level: LEVELS[finding.severity],
  message: { text: messageOf(finding) },
  locations: [
    {
      physicalLocation: { artifactLocation: { uri: uriOf(finding.file ?? recording) } },
      logicalLocations: [{ fullyQualifiedName: `${finding.call}/${finding.where}`, kind: 'object' }],
    },
  ],
  // §3.27.17: the same secret is the same result in the next run on this installation.
  partialFingerprints: { 'secret/v1': finding.fingerprint },
  properties: {
    call: finding.call,
    firstSeen: finding.firstSeen,
    lastSeen: finding.lastSeen,
    timesSent: finding.timesSent,
    answeredBack: finding.answeredBack,
    receivers: finding.receivers,
  },
});

/** One run (§3.14) with all findings, as JSON text. */
export function auditSarif(report: AuditReport): string {
  const named = new Set(FINDING_RULES.map(({ rule }) => rule));
  const others = [...new Set(report.findings.map(({ rule }) => rule))].filter((rule) => !named.has(rule));
  const rules = [...FINDING_RULES, ...others.map(ruleNamed)];
  const index = new Map(rules.map(({ rule }, i) => [rule, i]));
  const log = {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: report.tool, version: report.version, rules: rules.map(ruleOf) } },
        columnKind: 'utf16CodeUnits',
        invocations: [{ executionSuccessful: report.complete }],
        results: report.findings.map((finding) =>
          resultOf(finding, report.files[0] ?? '-', index.get(finding.rule) ?? 0),
        ),
      },
    ],
  };
  return `${safeJson(log, 2)}\n`;
}
