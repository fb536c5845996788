// Rows of the classification table that are not LLM calls: account, models and routing, indexing, agents, sessions,
// references, telemetry. Evidence tags are explained in docs/classes.md.

import type { FactsName } from './facts/table.ts';
import { type ClassRule, test } from './rule.ts';

const ANY_OURS = ['dotcom', 'any'] as const;
const GET = ['GET'];
const POST = ['POST'];

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

/** Cloud agents, sessions, memory. Longer paths before their prefixes. */
export const AGENTS: readonly ClassRule[] = [
  keeps(
    'sent',
    rule(
      'agents.memory',
      ['capi', 'any'],
      /^\/agents\/swe\/internal\/memory\//,
      'S',
      'medium',
      'memory kept at GitHub, read and written',
    ),
  ),
  rule(
    'agents.swe.custom_agents',
    ['capi', 'any'],
    /^\/agents\/swe\/custom-agents\//,
    'S',
    'medium',
    'custom agents of an organisation',
  ),
  rule(
    'agents.swe.enabled',
    ['capi', 'any'],
    /^\/agents\/swe\/(v1\/)?jobs\/.*\/enabled$/,
    'S P',
    'medium',
    'asks whether the cloud agent is on',
  ),
  rule(
    'agents.swe.job',
    ['capi', 'any'],
    /^\/agents\/swe\/(v1\/)?jobs\//,
    'P L',
    'high',
    'job of the cloud coding agent',
  ),
  rule(
    'sessions.logs',
    ['capi'],
    /^\/agents\/sessions\/[^/]+\/logs$/,
    'P',
    'high',
    'log of a cloud agent session',
    GET,
  ),
  keeps(
    'sent',
    rule(
      'sessions.sync.events',
      ['capi'],
      /^\/agents\/sessions\/[^/]+\/events$/,
      'V',
      'medium',
      'uploads events of a local session',
      POST,
    ),
  ),
  rule('sessions.sync.create', ['capi'], /^\/agents\/sessions$/, 'V', 'medium', 'announces a local session', POST),
  rule('sessions.list', ['capi'], /^\/agents\/sessions$/, 'P L', 'high', 'cloud agent sessions', GET),
  rule('sessions.get', ['capi'], /^\/agents\/sessions\/.+/, 'P L', 'high', 'one cloud agent session', GET),
  rule(
    'analytics.query',
    ['capi'],
    /^\/agents\/analytics\/query$/,
    'V',
    'medium',
    'SQL over synchronised sessions',
    POST,
  ),
  rule(
    'analytics.delete',
    ['capi'],
    /^\/agents\/analytics\/delete$/,
    'V',
    'medium',
    'deletes a synchronised session',
    POST,
  ),
  rule(
    'analytics.backfill',
    ['capi'],
    /^\/agents\/analytics\/backfill$/,
    'V',
    'medium',
    'fills in older sessions',
    POST,
  ),
  rule('agents.list', ['capi'], /^\/agents$/, 'S', 'medium', 'directory of remote agents', GET),
  rule('skills.list', ['capi'], /^\/skills$/, 'S', 'medium', 'skills of remote agents', GET),
];

/** Search and indexing. */
export const SEARCH: readonly ClassRule[] = [
  keeps(
    'sent',
    rule(
      'search.code',
      ['dotcom', 'capi'],
      /^\/embeddings\/code\/search$/,
      'S M',
      'medium',
      'semantic search of a repository; carries the prompt',
      POST,
    ),
  ),
  keeps(
    'models',
    rule('models.embeddings', ['dotcom', 'capi'], /^\/embeddings\/models$/, 'S M', 'medium', 'embedding models', GET),
  ),
  keeps(
    'sent',
    rule(
      'search.external',
      ['dotcom', 'capi'],
      /^\/external\/embeddings\/code\/search$/,
      'S',
      'medium',
      'search in an ingested file set',
      POST,
    ),
  ),
  rule(
    'ingest.batch',
    ['dotcom', 'capi'],
    /^\/external\/code\/ingest\/batch$/,
    'S',
    'medium',
    'which documents the index lacks',
    POST,
  ),
  keeps(
    'sent',
    rule(
      'ingest.document',
      ['dotcom', 'capi'],
      /^\/external\/code\/ingest\/document$/,
      'S',
      'medium',
      'uploads a whole file',
      POST,
    ),
  ),
  rule(
    'ingest.finalize',
    ['dotcom', 'capi'],
    /^\/external\/code\/ingest\/finalize$/,
    'S',
    'medium',
    'ends an ingest',
    POST,
  ),
  rule('ingest.create', ['dotcom', 'capi'], /^\/external\/code\/ingest$/, 'S', 'medium', 'begins an ingest', POST),
  rule('ingest.list', ['dotcom', 'capi'], /^\/external\/code\/ingest$/, 'S', 'medium', 'ingested file sets', GET),
  rule('ingest.delete', ['dotcom', 'capi'], /^\/external\/code\/ingest$/, 'S', 'medium', 'deletes a file set', [
    'DELETE',
  ]),
  keeps(
    'sent',
    rule('chunks', ['dotcom', 'capi'], /^\/chunks$/, 'S M', 'medium', 'chunks and embeddings of a whole file', POST),
  ),
  keeps('sent', rule('search.docs', ['capi'], /^\/search\//, 'S', 'medium', 'documentation search', POST)),
  rule(
    'index.trigger',
    ANY_OURS,
    /^\/repos\/[^/]+\/[^/]+\/copilot_internal\/embeddings_index$/,
    'S M',
    'medium',
    'asks GitHub to index a repository',
    POST,
  ),
  rule(
    'index.status',
    ANY_OURS,
    /^\/repos\/[^/]+\/[^/]+\/copilot_internal\/embeddings_index$/,
    'S M',
    'medium',
    'state of the index of a repository',
    GET,
  ),
  rule('search.ado', ['ado'], /^\//, 'S', 'high', 'code search of Azure DevOps'),
];

/** Code references, MCP, attachments, health, and GitHub's general API last. */
export const PLATFORM: readonly ClassRule[] = [
  keeps(
    'sent',
    rule(
      'snippy.match',
      ['origin-tracker', 'any'],
      /^\/twirp\/github\.snippy\.v1\.SnippyAPI\/Match$/,
      'S',
      'high',
      'asks whether accepted code is public; carries the code',
    ),
  ),
  rule(
    'snippy.files',
    ['origin-tracker', 'any'],
    /^\/twirp\/github\.snippy\.v1\.SnippyAPI\/FilesForMatch$/,
    'S',
    'high',
    'files in which matching code is public',
  ),
  rule('mcp.server', ['capi'], /^\/mcp(\/|$)/, 'S', 'medium', "GitHub's remote MCP server"),
  rule(
    'attachments.upload',
    ['uploads', 'any'],
    /^\/copilot\/chat\/attachments/,
    'S',
    'medium',
    'uploads an image for a chat',
    POST,
  ),
  keeps(
    'telemetry',
    rule('telemetry.copilot', ['telemetry'], /^\/telemetry$/, 'S D', 'high', 'telemetry of the extension'),
  ),
  rule('ping', ['capi', 'proxy', 'origin-tracker'], /^\/_ping$/, 'S', 'medium', 'health check between retries'),
  rule('github.graphql', ['dotcom'], /^\/(api\/)?graphql$/, 'S', 'high', 'GitHub GraphQL', POST),
  {
    ...rule('github.rest', ['dotcom'], /^\/(?!copilot(_internal)?(\/|$))/, 'S', 'high', 'GitHub REST'),
    namedHostOnly: true,
  },
];

/** Hosts that serve one purpose. */
export const AROUND: readonly ClassRule[] = [
  keeps('telemetry', rule('telemetry.msft', ['ms-telemetry'], /^\//, 'C D', 'high', 'telemetry to Microsoft')),
  rule('telemetry.github', ['collector'], /^\//, 'D', 'medium', 'telemetry to GitHub'),
  rule(
    'exp.assignment',
    ['experiments'],
    /^\//,
    'C D',
    'high',
    'experiment assignment; identity facets travel as headers',
  ),
  rule('byok.catalog', ['cdn'], /^\/extensions\/copilotChat\.json$/, 'S', 'high', 'list of models for own keys'),
  {
    ...rule('embeddings.cache', ['cdn'], /^\//, 'S', 'medium', 'ready-made embeddings'),
    tests: [test('embeddings host', (view) => view.host === 'embeddings.vscode-cdn.net')],
  },
  rule('status.github', ['status'], /^\/api\/v2\/status\.json$/, 'S', 'high', 'status page of GitHub'),
  rule('vscode.release_notes', ['vscode'], /^\/raw\//, 'S', 'medium', 'release notes of the editor'),
  rule('marketplace', ['marketplace'], /^\//, 'C', 'high', 'extension gallery of the editor'),
];

function keeps(facts: FactsName, row: ClassRule): ClassRule {
  return { ...row, keeps: facts };
}

function rule(
  name: string,
  hosts: ClassRule['hosts'],
  path: RegExp,
  source: string,
  confidence: ClassRule['confidence'],
  about: string,
  methods?: readonly string[],
): ClassRule {
  return {
    id: name,
    class: name,
    hosts,
    path,
    source,
    confidence,
    about,
    ...(methods === undefined ? {} : { methods }),
  };
}
