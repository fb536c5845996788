// Rows of the classification table: signing in, account and policies, model discovery and routing. Evidence tags are explained in
// docs/classes.md.

import type { ClassRule } from './rule.ts';
import { ANY_OURS, GET, keeps, POST, rule } from './service-rule.ts';

/** Signing in, account, policies. Paths under `/copilot_internal/` are GitHub's own on any host. */
export const ACCOUNT: readonly ClassRule[] = [
  rule('auth.oauth', ['login'], /^\/login\/(oauth|device)(\/|$)/, 'D', 'high', 'OAuth sign-in pages and code exchange'),
  keeps(
    'token',
    rule('auth.token', ANY_OURS, /^\/copilot_internal\/v2\/token$/, 'S C M', 'high', 'mints the Copilot token'),
  ),
  keeps(
    'token',
    rule(
      'auth.nltoken',
      ANY_OURS,
      /^\/copilot_internal\/v2\/nltoken$/,
      'S M',
      'medium',
      'token for signed-out free use',
    ),
  ),
  keeps(
    'account',
    rule(
      'auth.user',
      ANY_OURS,
      /^\/copilot_internal\/user$/,
      'S C',
      'high',
      'plan, quota and organisations of the user',
    ),
  ),
  keeps(
    'exclusion',
    rule(
      'content_exclusion',
      ANY_OURS,
      /^\/copilot_internal\/content_exclusion/,
      'S M',
      'medium',
      'exclusion rules by repository',
    ),
  ),
  rule(
    'policy.managed_settings',
    ANY_OURS,
    /^\/copilot_internal\/managed_settings/,
    'C',
    'medium',
    'settings set by an organisation',
  ),
  rule(
    'policy.team_customizations',
    ANY_OURS,
    /^\/copilot_internal\/team_customizations/,
    'R',
    'high',
    'customizations that an organisation gives its teams',
  ),
  rule(
    'auth.signup_free',
    ANY_OURS,
    /^\/copilot_internal\/subscribe_limited_user/,
    'C',
    'medium',
    'signs up for the free plan',
    POST,
  ),
  rule(
    'org.instructions',
    ANY_OURS,
    /^\/(copilot_internal|orgs\/[^/]+)\/.*custom[_-]instructions/,
    'S',
    'low',
    'custom instructions of an organisation',
  ),
  rule(
    'mcp.registry',
    ANY_OURS,
    /^\/copilot\/mcp_registry/,
    'C',
    'medium',
    'MCP registries that an organisation allows',
  ),
];

/** Model discovery and routing. `/models/session…` before `/models/{id}`. */
export const MODELS: readonly ClassRule[] = [
  keeps(
    'router',
    rule(
      'router.intent',
      ['capi', 'any'],
      /^\/models\/session\/intent$/,
      'S M seed0',
      'high',
      'router of Auto mode; carries the user text',
    ),
  ),
  keeps(
    'auto-session',
    rule('models.session', ['capi', 'any'], /^\/models\/session$/, 'S M', 'high', 'Auto mode session', POST),
  ),
  keeps(
    'router',
    rule('models.auto', ['capi'], /^\/auto$/, 'V', 'medium', 'Auto mode in one call; carries the user text', POST),
  ),
  keeps(
    'models',
    rule(
      'models.agents_swe',
      ['capi', 'any'],
      /^\/agents\/swe\/models$/,
      'S seed0',
      'high',
      'models of the cloud coding agent',
    ),
  ),
  keeps('models', rule('models.list', ['capi'], /^\/models$/, 'S M W seed0', 'high', 'models of the chat host', GET)),
  keeps('models', rule('models.proxy', ['proxy'], /^\/models$/, 'S', 'high', 'models of the completions host', GET)),
  rule('models.policy', ['capi'], /^\/models\/[^/]+\/policy$/, 'S M', 'medium', 'accepts the terms of a model'),
  keeps('models', rule('models.get', ['capi'], /^\/models\/[^/]+$/, 'S M', 'medium', 'one model', GET)),
];
