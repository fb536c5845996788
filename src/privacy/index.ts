// Door of the privacy room: redaction before every sink, and the search for what should not have been sent.
export { bodilessLlm, withoutBodies } from './bodiless.ts';
export { createFinder, type Found, type KeptRules, NO_KEPT_RULES } from './find.ts';
export { createFingerprint, type Mask } from './fingerprint.ts';
export { maskHeaders } from './headers.ts';
export { createInspector, type Finding, type Inspector, type InspectorOptions } from './inspector.ts';
export { maskArguments } from './process-arguments.ts';
export type { Redactor, RedactorOptions } from './redactor.ts';
export { createRedactor } from './redactor.ts';
export { FINDING_RULES, type FindingRule, reaches, ruleNamed, type Severity } from './rules.ts';
export { maskText } from './text.ts';
export { maskUrl } from './url.ts';
export { type HostJudge, hostOf } from './wire-conduct.ts';
