// Audits of recordings: the report, and the forms in which it is printed.
export { type AuditReport, type AuditResult, type AuditSettings, audit } from './audit.ts';
export { auditSarif } from './sarif.ts';
export { auditText } from './text.ts';
