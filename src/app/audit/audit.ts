// `tracer audit`: what left the machine, by a recording. The report holds no secret: findings carry fingerprints, the
// request log is made from redacted events.

import { EXIT } from '../../errors.ts';
import type { CallEvent, FindingEvent } from '../../model/index.ts';
import { createInspector, createRedactor, type Finding, reaches, type Severity } from '../../privacy/index.ts';
import { type AnalysedCall, type AnalysisVisitor, analyse } from '../analysis.ts';
import { installationKey } from '../installation-key.ts';
import { createKeptRules } from '../kept-rules.ts';
import type { Log, SessionResult } from '../types.ts';
import { toolVersion } from '../version.ts';
import { HostLog, type HostRow } from './hosts.ts';
import { createJudge } from './known-hosts.ts';
import { RequestLog, type RequestRow, type ServiceRow } from './request-log.ts';

export interface AuditSettings {
  /** Parts of one session, or recordings of several. */
  readonly files: readonly string[];
  /** Hosts allowed beside the built-in list; `*.example.com` for all below one. */
  readonly allowHosts: readonly string[];
  /** True: hints at a person are findings, too. */
  readonly personal: boolean;
  /** Findings of this severity or worse make the exit code EXIT.findings; null: none does. */
  readonly failOn: Severity | null;
  readonly log: Log;
  readonly stop: AbortSignal;
  /** Key of the fingerprints; absent: this installation's. */
  readonly key?: Uint8Array;
}

/** Plain JSON; docs/audit.md is its manual. */
export interface AuditReport {
  readonly tool: string;
  readonly version: string;
  readonly files: readonly string[];
  readonly calls: number;
  /** False when the recording lacks something: what was not captured cannot be judged. */
  readonly complete: boolean;
  readonly findings: readonly Finding[];
  /** Findings beyond the bound. */
  readonly findingsLeft: number;
  /** By server name and authority; those that were not understood, too. */
  readonly hosts: readonly HostRow[];
  readonly services: readonly ServiceRow[];
  readonly requests: readonly RequestRow[];
  readonly requestsLeft: number;
}

export interface AuditResult extends SessionResult {
  readonly report: AuditReport;
}

/** The call as sinks would see it without redaction. */
export const revealed = ({ event, raw }: AnalysedCall): CallEvent => ({
  ...event,
  host: raw.host,
  path: raw.path,
  request: raw.request,
  response: raw.response,
  ...(raw.llm && { llm: raw.llm }),
  ...(raw.service && { service: raw.service }),
});

/** Worst first, then by first appearance. */
const bySeverity = (a: Finding, b: Finding): number =>
  Number(reaches(b.severity, a.severity)) - Number(reaches(a.severity, b.severity));

/** File names, hosts and paths in a finding come from the traffic: they may hold a secret themselves. */
const safeFinding = (finding: Finding, redact: (event: FindingEvent) => FindingEvent): Finding => ({
  ...finding,
  ...redact(finding),
});

export async function audit(settings: AuditSettings): Promise<AuditResult> {
  const { files, log, stop, personal } = settings;
  const key = settings.key ?? installationKey().key;
  const kept = createKeptRules();
  const judge = createJudge(settings.allowHosts);
  const inspector = createInspector({ key, kept, judge, personal });
  const redactor = createRedactor({ key, reveal: false, kept });
  const requests = new RequestLog(judge);
  const hosts = new HostLog(judge);
  const visitor: AnalysisVisitor = {
    call(call) {
      requests.add(call.event, hosts.call(call.event));
      inspector.call(revealed(call), call.raw.bodies);
    },
    event(event) {
      if (event.type !== 'connection') return;
      hosts.connection(event);
      inspector.connection(event);
    },
  };
  const result = await analyse(files, { reveal: false, keepBodies: true, key, log, stop }, visitor);
  const redact = (event: FindingEvent): FindingEvent => (redactor.event(event)[0] ?? event) as FindingEvent;
  const findings = [...inspector.findings()].sort(bySeverity).map((finding) => safeFinding(finding, redact));
  const report: AuditReport = {
    tool: 'tracer',
    version: toolVersion(),
    files,
    calls: result.summary?.calls ?? 0,
    complete: result.summary?.complete === true && result.problem === null,
    findings,
    findingsLeft: inspector.left,
    hosts: hosts.rows(),
    services: requests.services(),
    requests: requests.rows(),
    requestsLeft: requests.left,
  };
  return { report, problem: result.problem, exitCode: exitCodeOf(result, findings, settings.failOn) };
}

function exitCodeOf(result: SessionResult, findings: readonly Finding[], failOn: Severity | null): number {
  if (result.problem !== null) return result.exitCode;
  const fails = failOn !== null && findings.some(({ severity }) => reaches(severity, failOn));
  return fails ? EXIT.findings : result.exitCode;
}
