// Rows of the classification table: what serves several surfaces, GitHub's general API last, and hosts of one purpose around the
// editor. Evidence tags are explained in docs/classes.md.

import { type ClassRule, test } from './rule.ts';
import { keeps, POST, rule } from './service-rule.ts';

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
