// Sessions at the start: the boot sequence of an editor, and a question in Auto mode with its router.
import {
  API,
  AUTO_TOKEN,
  byBearerUser,
  byToken,
  byUser,
  Chat,
  COPILOT_TOKEN,
  DOTCOM,
  get,
  helper,

  modelList,
  post,
  PROXY,
  TELEMETRY,
} from './build.mjs';
import * as accounts from '../service/accounts.mjs';

const token = { ...accounts.token, token: COPILOT_TOKEN };
const EXCLUSION = '/copilot_internal/content_exclusion?repos=stand-in%2Fapp,stand-in%2Flib';
const exclusion = [
  accounts.contentExclusion[0],
  { rules: [{ paths: ['*.pem'], ifAnyMatch: ['BEGIN .*PRIVATE KEY'] }], last_updated_at: '2026-02-01' },
];

const session = () =>
  post(API, '/models/session', byToken, { auto_mode: { model_hints: ['auto'] } }, { ...accounts.session, session_token: AUTO_TOKEN });

/** @returns {import('./build.mjs').Session} */
export const boot = () => ({
  about:
    'The start of an editor: sign-in (token and user at the same time), policies, the MCP registry, repository context, model discovery, experiments, then telemetry. No question is asked.',
  facts: ['1.2 authentication, models, telemetry', '5.2', '9 content exclusion', '10.1', '10.2', '10.4'],
  steps: [
    get(DOTCOM, '/copilot_internal/v2/token', byUser, token),
    get(DOTCOM, '/copilot_internal/user', byUser, accounts.user, { together: true }),
    get(DOTCOM, '/copilot_internal/managed_settings', byUser, { settings: {} }),
    get(DOTCOM, EXCLUSION, byUser, exclusion, { together: true }),
    get(DOTCOM, '/copilot/mcp_registry', byUser, accounts.mcpRegistry, { together: true }),
    get(DOTCOM, '/repos/stand-in/app/copilot_internal/embeddings_index', byBearerUser, { status: 'indexed' }),
    get(DOTCOM, '/user/repos?per_page=5', byBearerUser, [{ full_name: 'stand-in/app' }], { together: true }),
    get(API, '/agents/swe/v1/jobs/stand-in/app/enabled', byBearerUser, { enabled: true }, { together: true }),
    modelList(),
    get(API, '/agents/swe/models', byBearerUser, accounts.sweModels, { together: true }),
    get(PROXY, '/models', byToken, { models: [{ name: 'copilot-nes-oct', provider: 'stand-in', serviceType: 'NESChat', capabilities: { promptStrategy: 'x' } }] }, { together: true }),
    session(),
    get('default.exp-tas.com', '/vscode/ab', { 'x-github-copilot-sku': 'stand_in' }, { AssignmentContext: 'stand-in:1;' }),
    post(
      TELEMETRY,
      '/telemetry',
      { 'content-type': 'application/x-json-stream', 'user-agent': 'GitHubCopilotChat/0.42.0' },
      `${['extension.activate', 'request.sent', 'request.sent'].map((name) => JSON.stringify({ name: 'envelope', data: { baseData: { name: `copilot-chat/${name}` } } })).join('\n')}\n`,
      { itemsReceived: 3, itemsAccepted: 3, errors: [] },
    ),
  ],
});

const QUESTION = 'Why does the cache of getUser() return stale data after a logout?';

/** @returns {import('./build.mjs').Session} */
export const autoRouter = () => {
  const chat = new Chat({ wire: 'responses', model: 'gpt-5.4', requestId: 101, auto: true, tools: ['read_file', 'grep_search'] });
  chat.ask(QUESTION);
  const fallback = new Chat({ model: 'gpt-4.1', requestId: 102, interactionId: 201, auto: true, tools: ['read_file'] });
  fallback.history = chat.history;
  const router = (/** @type {string} */ prompt, /** @type {number} */ turn, /** @type {object} */ answer) =>
    post(
      API,
      '/models/session/intent',
      { ...byToken, 'copilot-session-token': AUTO_TOKEN },
      {
        prompt,
        available_models: ['gpt-4.1', 'gpt-5.4', 'claude-sonnet-4.6'],
        turn_number: turn,
        session_id: 'stand-in-session',
        reference_count: 1,
        prompt_char_count: prompt.length,
        ...(turn > 1 ? { previous_model: 'gpt-5.4' } : {}),
      },
      answer,
    );
  const first = chat.step('user', {
    text: 'The cache is keyed by session id, and logout() does not clear it.',
    usage: { input: 1480, cached: 0, output: 38, reasoning: 12 },
  });
  const title = helper({
    system: 'You are an expert in crafting pithy titles for chatbot conversations.',
    text: `Please write a brief title for the following request:\n\n${QUESTION}`,
    requestId: 301,
    answer: 'Stale user cache after logout',
  });
  const second = 'Thanks. What is the name of that file?';
  fallback.left = 83.2;
  fallback.ask(second);
  return {
    about:
      'Two questions in Auto mode. The router is asked first with the full text of each question; for the first it finds that reasoning is needed and names candidates and scores, for the second it falls back. The chosen model answers the first; the second goes to the base model and is answered by another version of it. A title is made in between.',
    facts: ['10.2', '10.3', '10.4', '6.5 title, router', '2.3 Copilot-Session-Token'],
    steps: [
      modelList(),
      session(),
      router(QUESTION, 1, {
        predicted_label: 'needs_reasoning',
        confidence: 0.87,
        latency_ms: 12,
        candidate_models: ['gpt-5.4', 'claude-sonnet-4.6'],
        scores: { needs_reasoning: 0.87, no_reasoning: 0.13 },
        hydra_scores: { reasoning: 0.81, code_gen: 0.2, debugging: 0.77, tool_use: 0.31 },
        chosen_model: 'gpt-5.4',
      }),
      first,
      { ...title, together: true },
      router(second, 2, {
        predicted_label: 'fallback',
        confidence: 0.5,
        latency_ms: 9,
        fallback: true,
        fallback_reason: 'low_confidence',
        candidate_models: ['gpt-4.1'],
        scores: { needs_reasoning: 0.5, no_reasoning: 0.5 },
      }),
      fallback.step('user', { model: 'gpt-4o-mini-2026-01-15', text: 'src/auth/user-cache.ts', usage: { input: 1560, cached: 1280, output: 9 } }),
    ],
  };
};

