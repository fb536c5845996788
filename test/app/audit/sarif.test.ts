// Against the published schema, and against one written from the standard for the objects that are used: there URIs are held to
// their characters, and what the tool has no business to write is an error.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { audit } from '../../../src/app/audit/audit.ts';
import { auditSarif } from '../../../src/app/audit/sarif.ts';
import { validateSarif } from '../../kit/sarif-schema.ts';
import { REPORT } from './report.ts';
import { SARIF_SUBSET } from './sarif-subset.ts';
import { cleanSession, leakySession } from './session.ts';

const validate = new Ajv({ allErrors: true }).compile(SARIF_SUBSET);
const log = JSON.parse(auditSarif(REPORT));
const [run] = log.runs;

async function auditOf(session: (path: string) => string) {
  const dir = mkdtempSync(join(tmpdir(), 'tracer-sarif-'));
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const settings = { allowHosts: [], personal: true, failOn: 'high' as const, log, stop: new AbortController().signal };
  return (await audit({ files: [session(join(dir, 'a.trc'))], ...settings })).report;
}

it('is SARIF 2.1.0 by the published schema', () => {
  expect(validateSarif(log)).toBeNull();
  expect(validate(log), JSON.stringify(validate.errors)).toBe(true);
});

it('is so for every finding of a real audit, and for none', async () => {
  for (const session of [leakySession, cleanSession]) {
    const sarif = auditSarif(await auditOf(session));
    expect(validateSarif(JSON.parse(sarif))).toBeNull();
  }
  expect(JSON.parse(auditSarif(await auditOf(leakySession))).runs[0].results.length).toBeGreaterThan(8);
});

it('is not when a member is missing, misspelled or out of range: the schema is really asked', () => {
  const broken = (change: (run: Record<string, unknown>) => void): string | null => {
    const copy = structuredClone(log);
    change(copy.runs[0]);
    return validateSarif(copy);
  };
  expect(broken(() => {})).toBeNull();
  expect(broken((copy) => delete copy['tool'])).toContain("must have required property 'tool'");
  expect(broken((copy) => (copy['result'] = []))).toContain('must NOT have additional properties');
  expect(broken((copy) => (copy['columnKind'] = 'bytes'))).toContain('must be equal to one of the allowed values');
});

it('has one result per finding, under its rule, with level, file and fingerprint', () => {
  const [token, home] = run.results;
  expect(run.tool.driver.rules[token.ruleIndex].id).toBe('github-token');
  expect([token.ruleId, token.level]).toEqual(['github-token', 'error']);
  expect(token.message.text).toBe('GitHub token was sent to api.githubcopilot.com, 2 times (message 0 (user)).');
  expect(token.locations[0].physicalLocation.artifactLocation.uri).toBe('file:///home/ann/.env');
  expect(token.partialFingerprints).toEqual({ 'secret/v1': '3fa9c1d2' });
  expect([home.level, home.locations[0].physicalLocation.artifactLocation.uri]).toEqual(['note', 'chat.trc']);
});

it('lists a rule that has no row of its own, and escapes paths', () => {
  const [finding] = REPORT.findings;
  const other = { ...finding!, rule: 'acme-token', file: 'C:\\a b\\ü%.env' };
  const sarif = JSON.parse(auditSarif({ ...REPORT, findings: [other] }));
  const [result] = sarif.runs[0].results;
  expect(sarif.runs[0].tool.driver.rules[result.ruleIndex].id).toBe('acme-token');
  expect(result.locations[0].physicalLocation.artifactLocation.uri).toBe('file:///C:/a%20b/%C3%BC%25.env');
  expect(validate(sarif), JSON.stringify(validate.errors)).toBe(true);
});
