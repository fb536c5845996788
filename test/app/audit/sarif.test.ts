// Against a schema written from the SARIF 2.1.0 standard for the objects that are used: unknown members are errors here, so
// that a misspelled one is found.
import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { auditSarif } from '../../../src/app/audit/sarif.ts';
import { REPORT } from './report.ts';
import { SARIF_SUBSET } from './sarif-subset.ts';

const validate = new Ajv({ allErrors: true }).compile(SARIF_SUBSET);
const log = JSON.parse(auditSarif(REPORT));
const [run] = log.runs;

it('is SARIF 2.1.0', () => {
  expect(validate(log), JSON.stringify(validate.errors)).toBe(true);
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
