// One row per row of the table (and per way to reach it): what is asked, and the class it must get.

import { describe, expect, it } from 'vitest';
import { CLASSES, classify, FALLBACK_CLASSES, viewOf } from '../../src/copilot/index.ts';
import type { HeaderField } from '../../src/model/index.ts';

interface Asked {
  readonly body?: unknown;
  readonly headers?: readonly HeaderField[];
}

const API = 'api.individual.githubcopilot.com';
const PROXY = 'proxy.individual.githubcopilot.com';
const DOTCOM = 'api.github.com';
const LOCAL = '127.0.0.1:40123';
const OLLAMA = 'localhost:11434';
const TRACKER = 'origin-tracker.githubusercontent.com';
const nonce: Asked = { headers: [['authorization', 'Bearer vscode-lm-1.s']] };
const upgrade: Asked = { headers: [['upgrade', 'websocket']] };
const model = (name: string): Asked => ({ body: { model: name, messages: [] } });

const named = (asked: string, more: Asked = {}) => {
  const [method = '', url = ''] = asked.split(' ');
  const slash = url.indexOf('/');
  const head = {
    httpVersion: '2',
    scheme: 'https',
    unknown: [],
    headers: more.headers ?? [],
    method,
    authority: url.slice(0, slash),
    path: url.slice(slash),
  } as const;
  return classify(viewOf({ head, sni: undefined, body: more.body }));
};

/** Id of the rule, request, further facts. The class is the rule's unless a fourth member says otherwise. */
const ROWS: readonly (readonly [rule: string, asked: string, more?: Asked])[] = [
  ['local.claude_proxy', `POST ${LOCAL}/v1/messages`, nonce],
  ['local.claude_proxy', `POST ${LOCAL}//messages`, nonce],
  ['local.responses_proxy', `POST ${LOCAL}/v1/responses`, nonce],
  ['local.responses_proxy', `POST localhost:9//responses`, nonce],
  ['local.lm_server', `GET ${LOCAL}/models`, nonce],
  ['byok.openai', 'POST api.openai.com/v1/chat/completions'],
  ['byok.openai.other', 'GET api.openai.com/v1/models'],
  ['byok.anthropic', 'POST api.anthropic.com/v1/messages?beta=true'],
  ['byok.anthropic.other', 'GET api.anthropic.com/v1/models'],
  ['byok.gemini', 'POST generativelanguage.googleapis.com/v1beta/models/g:streamGenerateContent?alt=sse'],
  ['byok.gemini.other', 'GET generativelanguage.googleapis.com/v1beta/models'],
  ['byok.openrouter', 'POST openrouter.ai/api/v1/chat/completions'],
  ['byok.openrouter.other', 'GET openrouter.ai/api/v1/models'],
  ['byok.xai', 'POST api.x.ai/v1/chat/completions'],
  ['byok.xai.other', 'GET api.x.ai/v1/models'],
  ['byok.azure', 'POST me.openai.azure.com/openai/deployments/d/chat/completions?api-version=1'],
  ['byok.azure', 'POST me.eastus.models.ai.azure.com/v1/chat/completions'],
  ['byok.azure', 'POST me.eastus.inference.ml.azure.com/chat/completions'],
  ['byok.azure.other', 'GET me.openai.azure.com/openai/models'],
  ['byok.ollama', `POST ${OLLAMA}/v1/chat/completions`],
  ['byok.ollama', `POST ${OLLAMA}/api/chat`],
  ['byok.ollama.other', `GET ${OLLAMA}/v1/models`],
  ['byok.ollama.chat', 'POST localhost:8080/api/generate'],
  ['byok.ollama.info', 'GET 127.0.0.1:8080/api/tags'],
  ['byok.ollama.info', 'POST localhost:8080/api/show'],
  ['byok.ollama.info', 'GET [::1]:8080/api/version'],
  ['auth.oauth', 'POST github.com/login/oauth/access_token'],
  ['auth.oauth', 'POST github.com/login/device/code'],
  ['auth.oauth', 'GET acme.ghe.com/login/oauth/authorize'],
  ['auth.token', `GET ${DOTCOM}/copilot_internal/v2/token`],
  ['auth.token', 'GET api.acme.ghe.com/copilot_internal/v2/token'],
  ['auth.token', 'GET github.acme.corp/api/v3/copilot_internal/v2/token'],
  ['auth.nltoken', `POST ${DOTCOM}/copilot_internal/v2/nltoken`],
  ['auth.user', `GET ${DOTCOM}/copilot_internal/user`],
  ['content_exclusion', `GET ${DOTCOM}/copilot_internal/content_exclusion?repos=a`],
  ['policy.managed_settings', `GET ${DOTCOM}/copilot_internal/managed_settings`],
  ['policy.team_customizations', `GET ${DOTCOM}/copilot_internal/team_customizations`],
  ['auth.signup_free', `POST ${DOTCOM}/copilot_internal/subscribe_limited_user`],
  ['org.instructions', `GET ${DOTCOM}/copilot_internal/custom_instructions`],
  ['org.instructions', `GET ${DOTCOM}/orgs/acme/copilot/custom-instructions`],
  ['mcp.registry', `GET ${DOTCOM}/copilot/mcp_registry`],
  ['router.intent', `POST ${API}/models/session/intent`],
  ['models.session', `POST ${API}/models/session`],
  ['models.auto', `POST ${API}/auto`],
  ['models.agents_swe', `GET ${API}/agents/swe/models`],
  ['models.list', `GET ${API}/models`],
  ['models.list', 'GET api.githubcopilot.com//models'],
  ['models.list', 'GET copilot-api.acme.ghe.com/models'],
  ['models.proxy', `GET ${PROXY}/models`],
  ['models.proxy', 'GET copilot-proxy.githubusercontent.com/models'],
  ['models.policy', `POST ${API}/models/gpt-x/policy`],
  ['models.get', `GET ${API}/models/gpt-x`],
  ['search.code', `POST ${DOTCOM}/embeddings/code/search`],
  ['models.embeddings', `GET ${DOTCOM}/embeddings/models`],
  ['search.external', `POST ${DOTCOM}/external/embeddings/code/search`],
  ['ingest.batch', `POST ${DOTCOM}/external/code/ingest/batch`],
  ['ingest.document', `POST ${DOTCOM}/external/code/ingest/document`],
  ['ingest.finalize', `POST ${DOTCOM}/external/code/ingest/finalize`],
  ['ingest.create', `POST ${DOTCOM}/external/code/ingest`],
  ['ingest.list', `GET ${DOTCOM}/external/code/ingest`],
  ['ingest.delete', `DELETE ${DOTCOM}/external/code/ingest`],
  ['chunks', `POST ${DOTCOM}/chunks`],
  ['search.docs', `POST ${API}/search/docs`],
  ['index.trigger', `POST ${DOTCOM}/repos/o/n/copilot_internal/embeddings_index`],
  ['index.status', `GET ${DOTCOM}/repos/o/n/copilot_internal/embeddings_index`],
  ['search.ado', 'POST almsearch.dev.azure.com/org/_apis/search'],
  ['agents.memory', `PUT ${API}/agents/swe/internal/memory/v0/o/n`],
  ['agents.memory', `GET ${API}/agents/swe/internal/memory/v0/o/n/recent?limit=1`],
  ['agents.swe.custom_agents', `GET ${API}/agents/swe/custom-agents/o/n?include_sources=org`],
  ['agents.swe.enabled', `GET ${API}/agents/swe/v1/jobs/o/n/enabled`],
  ['agents.swe.job', `POST ${API}/agents/swe/v1/jobs/o/n`],
  ['agents.swe.job', `GET ${API}/agents/swe/jobs/o/n/17`],
  ['sessions.logs', `GET ${API}/agents/sessions/7/logs`],
  ['sessions.sync.events', `POST ${API}/agents/sessions/7/events`],
  ['sessions.sync.create', `POST ${API}/agents/sessions`],
  ['sessions.list', `GET ${API}/agents/sessions`],
  ['sessions.get', `GET ${API}/agents/sessions/resource/pull/7`],
  ['analytics.query', `POST ${API}/agents/analytics/query`],
  ['analytics.delete', `POST ${API}/agents/analytics/delete`],
  ['analytics.backfill', `POST ${API}/agents/analytics/backfill`],
  ['agents.list', `GET ${API}/agents`],
  ['skills.list', `GET ${API}/skills`],
  ['nes.cursor', `POST ${PROXY}/chat/completions`, model('copilot-suggestions-himalia-001')],
  ['apply.instant', `POST ${PROXY}/chat/completions`, model('gpt-4o-instant-apply-full-ft-v66')],
  [
    'apply.instant.session',
    `POST ${PROXY}/chat/completions`,
    { headers: [['copilot-edits-session', 's']], body: { model: 'new', prediction: {} } },
  ],
  ['search.agentic', `POST ${PROXY}/chat/completions`, model('agentic-search-v3')],
  ['nes', `POST ${PROXY}/chat/completions`, model('copilot-nes-oct')],
  ['nes', `POST ${PROXY}/v1/chat/completions`, model('xtab-4o-mini-finetuned')],
  [
    'nes.prompt',
    `POST ${PROXY}/chat/completions`,
    { body: { model: 'new', messages: [{ content: '<|code_to_edit|>' }] } },
  ],
  ['nes.host', `POST ${PROXY}/chat/completions`, model('new')],
  ['chat.completions', `POST ${API}/chat/completions`, model('gpt-x')],
  ['chat.completions', 'POST copilot-api.acme.ghe.com/chat/completions', model('gpt-x')],
  ['chat.responses.ws', `GET ${API}/responses`, upgrade],
  ['chat.responses', `POST ${API}/responses`, { body: { input: [] } }],
  ['chat.messages', `POST ${API}/v1/messages`],
  ['completions.inline', `POST ${PROXY}/v1/engines/gpt-41-copilot/completions`],
  ['completions.inline', 'POST proxy.acme.corp/v1/engines/gpt-41-copilot/completions'],
  ['embeddings.capi', `POST ${API}/embeddings`],
  ['embeddings.dotcom', `POST ${DOTCOM}/embeddings`],
  ['review.agent', `POST ${API}/agents/github-code-review`],
  ['agents.chat', `POST ${API}/agents/some-agent/chat`],
  ['snippy.match', `POST ${TRACKER}/twirp/github.snippy.v1.SnippyAPI/Match`],
  ['snippy.files', `POST origin-tracker.business.githubcopilot.com/twirp/github.snippy.v1.SnippyAPI/FilesForMatch`],
  ['mcp.server', `POST ${API}/mcp/readonly`],
  ['attachments.upload', 'POST uploads.github.com/copilot/chat/attachments?name=a.png'],
  ['telemetry.copilot', 'POST copilot-telemetry.githubusercontent.com/telemetry'],
  ['telemetry.copilot', 'POST telemetry.enterprise.githubcopilot.com/telemetry'],
  ['ping', `GET ${API}/_ping`],
  ['ping', `GET ${TRACKER}/_ping`],
  ['github.graphql', `POST ${DOTCOM}/graphql`],
  ['github.rest', `GET ${DOTCOM}/user/repos`],
  ['telemetry.msft', 'POST mobile.events.data.microsoft.com/OneCollector/1.0'],
  ['telemetry.msft', 'POST dc.services.visualstudio.com/v2/track'],
  ['telemetry.github', 'POST collector.github.com/x'],
  ['exp.assignment', 'GET default.exp-tas.com/vscode/ab'],
  ['byok.catalog', 'GET main.vscode-cdn.net/extensions/copilotChat.json'],
  ['embeddings.cache', 'GET embeddings.vscode-cdn.net/x'],
  ['status.github', 'GET www.githubstatus.com/api/v2/status.json'],
  ['vscode.release_notes', 'GET code.visualstudio.com/raw/v1_1.md'],
  ['marketplace', 'POST marketplace.visualstudio.com/_apis/public/gallery/extensionquery'],
];

describe('classification table', () => {
  it.each(ROWS.map(([id, asked, more = {}]) => [id, asked, more] as const))('%s: %s', (ruleId, asked, more) => {
    const found = named(asked, more);
    expect(found.evidence.split(':')[0]).toBe(ruleId);
    expect(found.class).toBe(CLASSES.find((rule) => rule.id === ruleId)?.class);
  });

  it('has a test row for each of its rows, and no id twice', () => {
    const ids = CLASSES.map((rule) => rule.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...new Set(ROWS.map(([id]) => id))].sort()).toEqual([...ids].sort());
  });

  it('gives every LLM call of a known wire its dialect', () => {
    expect(named('POST openrouter.ai/api/v1/chat/completions').dialect).toBe('openai-chat');
    expect(named('POST api.openai.com/v1/responses').dialect).toBe('openai-responses');
    expect(named(`POST ${PROXY}/chat/completions`, model('copilot-nes-oct')).dialect).toBe('nes');
    expect(named(`GET ${API}/models`).dialect).toBeUndefined();
  });

  it('has no class that is also a fallback', () => {
    for (const name of Object.keys(FALLBACK_CLASSES)) expect(CLASSES.map((rule) => rule.class)).not.toContain(name);
  });
});
