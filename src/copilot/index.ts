// Door of the room: names calls and decodes them. To add an endpoint: a row in the file of its subject, classes-*.ts; a kind of chat
// call: a row in kinds.ts; each with a row in its test.

export { CALL_LIMITS, type CallLimits } from './call-limits.ts';
export { type CallTracker, type CallTrackerOptions, createCallTracker } from './calls.ts';
export { type ChatView, chatViewOf } from './chat-view.ts';
export { CLASSES, FALLBACK_CLASSES } from './classes.ts';
export { type Classification, classify } from './classify.ts';
export { quotaOf } from './facts/account.ts';
export { HOSTS, type HostRole, roleOfHost, splitAuthority } from './hosts.ts';
export { KIND_BY_CLASS, KINDS, type KindFound, type KindRule, kindOf } from './kinds.ts';
export { type OwnRules, type RuleProblem, readOwnRules } from './own-rules.ts';
export { type ClassRule, type Test, test } from './rule.ts';
export { utf8Bytes } from './summary.ts';
export { type CallInput, type CallView, viewOf } from './view.ts';
