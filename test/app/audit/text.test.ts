import { expect, it } from 'vitest';
import type { AuditReport } from '../../../src/app/audit/audit.ts';
import { auditText } from '../../../src/app/audit/text.ts';
import { REPORT } from './report.ts';

it('prints findings with place and receiver, what to do, and services', () => {
  expect(auditText(REPORT)).toBe(`chat.trc: 3 calls, 2 findings

Findings
HIGH    github-token  GitHub token  #3fa9c1d2
        c1.1 message 0 (user) in attachment from /home/ann/.env at 68
        to api.githubcopilot.com (gpt-4.1)
        first 2026-03-01T14:05:09.042Z, sent 2 times, in an answer
LOW     personal-home  path of a home folder  #00000001
        c1.1 message 0 (user) at 3
        to api.githubcopilot.com (gpt-4.1)
        first 2026-03-01T14:05:09.042Z

What to do
        github-token: Revoke it at its issuer and keep the file that held it out of the context.

Services (! not on the allow list)
   chat.completions  api.githubcopilot.com  2 calls  Bearer copilot-token  900 B out, 500 B in
!  http.other  evil.test  1 call (1 failed)  no credential  10 B out, 0 B in

Hosts without a call
!  db.test  2 connections

TLS, where the library told
  db.test  TLS 1.2 TLS_RSA_WITH_AES_128_CBC_SHA  1 connection
  evil.test  TLS 1.3 TLS_AES_128_GCM_SHA256 h2  1 connection
`);
});

it('passes no control character on', () => {
  const [finding] = REPORT.findings;
  const hostile = { ...finding!, file: '/x\u001b[2J\u0007', host: 'a\u202eb' };
  const report: AuditReport = { ...REPORT, files: ['a\u001b]0;x\u0007'], findings: [hostile] };
  expect(auditText(report)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
});
