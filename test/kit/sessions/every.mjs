// One call of every class and one of every kind: the table of names as a recording. Bodies are the least that makes the call
// what it is; what the other sessions show in full is short here.
import { API, byBearerUser, byToken, Chat, call, DOTCOM, get, ORIGIN, post, PROXY, stream, TELEMETRY } from './build.mjs';
import { chatCompletions, completions, messages, responses } from '../service/answers.mjs';

const ANSWER = { model: 'stand-in', text: 'ok', toolCalls: [], usage: { input: 9, cached: 0, output: 1 }, finishReason: 'stop' };
const BUILD = { chat: chatCompletions, messages, responses, completions };
const said = (/** @type {keyof typeof BUILD} */ wire) => stream(BUILD[wire](ANSWER).events);

const chatBody = (/** @type {string} */ model, more = {}) => ({ model, messages: [{ role: 'user', content: 'q' }], stream: true, ...more });
const LOCAL = '127.0.0.1:40123';
const NONCE = { authorization: 'Bearer vscode-lm-FAKE0001.session' };
const KEY = { authorization: 'Bearer FAKEownkey0001' };

/** A call whose answer streams. @param {string} host @param {string} path @param {Record<string, string>} headers @param {unknown} body @param {keyof typeof BUILD} [wire] */
const llm = (host, path, headers, body, wire = 'chat') => ({ ...post(host, path, headers, body, {}), response: said(wire) });
/** A service call. @param {string} host @param {string} path @param {unknown} [body] @param {string} [method] */
const svc = (host, path, body, method = 'POST') =>
  body === undefined ? get(host, path, byBearerUser, { ok: true }) : post(host, path, byBearerUser, body, { ok: true }, { method });

const EMBEDDED = { data: [{ index: 0, embedding: [0.1, 0.2] }], model: 'stand-in', usage: { prompt_tokens: 3, total_tokens: 3 } };

/** Not here: sockets and the start of an editor, which have sessions of their own; `chat.responses.ws` is in `websocket`. */
/** @type {() => import('./build.mjs').Step[]} */
const classSteps = () => [
  llm(LOCAL, '/v1/messages', NONCE, { ...chatBody('claude-sonnet-4.6'), max_tokens: 9, system: [] }, 'messages'),
  llm(LOCAL, '/v1/responses', NONCE, { model: 'gpt-5.4', input: [], stream: true }, 'responses'),
  get(LOCAL, '/models', NONCE, { data: [] }),
  llm('api.openai.com', '/v1/chat/completions', KEY, chatBody('gpt-4.1')),
  llm('api.anthropic.com', '/v1/messages', { 'x-api-key': 'FAKEownkey0002' }, { ...chatBody('claude-sonnet-4.6'), max_tokens: 9 }, 'messages'),
  post('generativelanguage.googleapis.com', '/v1beta/models/gemini-3:generateContent', { 'x-goog-api-key': 'FAKEownkey0003' }, { contents: [{ role: 'user', parts: [{ text: 'q' }] }] }, { candidates: [{ content: { role: 'model', parts: [{ text: 'ok' }] }, finishReason: 'STOP' }] }),
  llm('openrouter.ai', '/api/v1/chat/completions', KEY, chatBody('stand-in/model')),
  llm('api.x.ai', '/v1/chat/completions', KEY, chatBody('grok-4')),
  llm('stand-in.openai.azure.com', '/openai/deployments/d/chat/completions?api-version=1', { 'api-key': 'FAKEownkey0004' }, chatBody('gpt-4.1')),
  post('localhost:11434', '/api/chat', {}, { ...chatBody('llama'), stream: false }, { model: 'llama', message: { role: 'assistant', content: 'ok' }, done: true, prompt_eval_count: 3, eval_count: 1 }),
  llm('llm.stand-in.invalid', '/v1/chat/completions', KEY, chatBody('house-model')),
  get('main.vscode-cdn.net', '/extensions/copilotChat.json', {}, {}),
  svc('github.com', '/login/device/code', 'client_id=FAKE'),
  post(DOTCOM, '/copilot_internal/v2/nltoken', {}, {}, { sku: 'no_auth_limited_copilot', expires_at: 1_990_000_000 }),
  svc(DOTCOM, '/copilot_internal/v2/token'),
  svc(DOTCOM, '/copilot_internal/user'),
  svc(DOTCOM, '/copilot_internal/content_exclusion?repos=stand-in%2Fapp'),
  svc(DOTCOM, '/copilot_internal/managed_settings'),
  svc(DOTCOM, '/copilot_internal/team_customizations'),
  svc(DOTCOM, '/copilot_internal/subscribe_limited_user', {}),
  svc(DOTCOM, '/copilot_internal/custom_instructions'),
  svc(DOTCOM, '/copilot/mcp_registry'),
  svc(API, '/models/session/intent', { prompt: 'q' }),
  svc(API, '/models/session', {}),
  post(API, '/auto', byToken, { prompt: 'q', has_image: false, multi_turn: false }, { selected_model: { id: 'gpt-4.1' }, hydra_scores: { reasoning: 0.2 } }),
  svc(API, '/agents/swe/models'),
  get(API, '/models', byToken, { data: [{ id: 'gpt-4.1' }] }),
  get(API, '/models/gpt-4.1', byToken, { id: 'gpt-4.1' }),
  post(API, '/models/gpt-4.1/policy', byToken, { state: 'enabled' }, {}),
  svc(PROXY, '/models'),
  svc(DOTCOM, '/embeddings/models'),
  llm(API, '/chat/completions', byToken, chatBody('gpt-4.1')),
  llm(API, '/responses', byToken, { model: 'gpt-5.4', input: [], stream: true }, 'responses'),
  llm(API, '/v1/messages', byToken, { ...chatBody('claude-sonnet-4.6'), max_tokens: 9 }, 'messages'),
  llm(PROXY, '/v1/engines/gpt-41-copilot/completions', byToken, { prompt: 'a', suffix: 'b', stream: true }, 'completions'),
  llm(PROXY, '/chat/completions', byToken, chatBody('copilot-nes-oct')),
  llm(PROXY, '/chat/completions', byToken, chatBody('copilot-suggestions-himalia-001', { max_tokens: 40 })),
  llm(PROXY, '/chat/completions', { ...byToken, 'copilot-edits-session': 'FAKEedits0001' }, chatBody('gpt-4o-instant-apply-full', { prediction: { type: 'content', content: 'x' } })),
  llm(PROXY, '/chat/completions', byToken, chatBody('agentic-search-v3')),
  llm(API, '/agents/some-agent/chat', byBearerUser, { ...chatBody('x'), copilot_thread_id: 't' }),
  llm(API, '/agents/github-code-review', { ...byToken, 'x-copilot-code-review-mode': 'ide' }, chatBody('x')),
  post(API, '/embeddings', byToken, { input: ['a'], model: 'text-embedding-3-small' }, EMBEDDED),
  post(DOTCOM, '/embeddings', byBearerUser, { inputs: ['a'], input_type: 'document', embedding_model: 'm' }, { embeddings: [{ embedding: [0.1] }] }),
  post(DOTCOM, '/chunks', byBearerUser, { embed: true, content: 'export const a = 1;\n', path: 'src/a.ts', language_id: 'typescript' }, { chunks: [] }),
  post(DOTCOM, '/embeddings/code/search', byBearerUser, { scoping_query: 'repo:stand-in/app', prompt: 'where are dates parsed?' }, { results: [] }),
  svc(DOTCOM, '/repos/stand-in/app/copilot_internal/embeddings_index'),
  svc(DOTCOM, '/repos/stand-in/app/copilot_internal/embeddings_index', { auto: true }),
  svc(DOTCOM, '/external/code/ingest', { fileset_name: 'f' }),
  svc(DOTCOM, '/external/code/ingest/batch', { doc_ids: [] }),
  post(DOTCOM, '/external/code/ingest/document', byBearerUser, { file_path: 'src/b.ts', doc_id: 'd', content: Buffer.from('export const b = 2;\n').toString('base64') }, {}),
  svc(DOTCOM, '/external/code/ingest/finalize', {}),
  svc(DOTCOM, '/external/code/ingest'),
  svc(DOTCOM, '/external/code/ingest', {}, 'DELETE'),
  svc(DOTCOM, '/external/embeddings/code/search', { scoping_query: 'fileset:f', prompt: 'q' }),
  svc(API, '/search/docs', { query: 'tests', limit: 1 }),
  svc(API, '/skills'),
  svc('almsearch.dev.azure.com', '/stand-in/_apis/search', {}),
  svc(API, '/agents'),
  svc(API, '/agents/swe/v1/jobs/stand-in/app/enabled'),
  svc(API, '/agents/swe/v1/jobs/stand-in/app', { problem_statement: 'q' }),
  svc(API, '/agents/swe/custom-agents/stand-in/app'),
  svc(API, '/agents/swe/internal/memory/v0/stand-in/app', { subject: 'style', fact: 'Dates are UTC.' }, 'PUT'),
  svc(API, '/agents/sessions'),
  svc(API, '/agents/sessions/7'),
  svc(API, '/agents/sessions/7/logs'),
  svc(API, '/agents/sessions', { agent_task_id: 't' }),
  svc(API, '/agents/sessions/7/events', { events: [{ id: '1', type: 'user.message', data: { text: 'q' } }] }),
  svc(API, '/agents/analytics/query', { query: 'SELECT 1' }),
  svc(API, '/agents/analytics/delete', { session_id: 's' }),
  svc(API, '/agents/analytics/backfill', {}),
  svc('uploads.github.com', '/copilot/chat/attachments?name=a.png&content_type=image%2Fpng', 'FAKEpng'),
  post(ORIGIN, '/twirp/github.snippy.v1.SnippyAPI/Match', byToken, { source: 'function answer() { return 42; }' }, {}),
  post(ORIGIN, '/twirp/github.snippy.v1.SnippyAPI/FilesForMatch', byToken, { cursor: 'c' }, {}),
  svc(API, '/mcp/readonly', { jsonrpc: '2.0', method: 'tools/list', id: 1 }),
  svc(TELEMETRY, '/telemetry', `${JSON.stringify({ name: 'e', data: { baseData: { name: 'copilot-chat/engine.messages' } } })}\n`),
  svc('mobile.events.data.microsoft.com', '/OneCollector/1.0', `${JSON.stringify({ name: 'monacoworkbench/commandExecuted' })}\n`),
  svc('collector.github.com', '/x', {}),
  get('default.exp-tas.com', '/vscode/ab', {}, {}),
  svc('marketplace.visualstudio.com', '/_apis/public/gallery/extensionquery', {}),
  get('embeddings.vscode-cdn.net', '/x', {}, {}),
  get('www.githubstatus.com', '/api/v2/status.json', {}, {}),
  get('code.visualstudio.com', '/raw/v1_1.md', {}, {}),
  svc(API, '/_ping'),
  svc(DOTCOM, '/graphql', { query: '{ viewer { login } }' }),
  svc(DOTCOM, '/user/repos'),
  svc(API, '/brand/new/endpoint', {}),
  get('example.invalid', '/', {}, {}),
];

/** @returns {import('./build.mjs').Session} */
export const everyClass = () => ({
  about:
    'One call of every class of docs/classes.md, own keys, loopback servers and unknown endpoints included; the WebSocket class is in the session websocket. Servers on loopback speak plain HTTP in reality, here TLS.',
  facts: ['1.1', '1.2', '1.3', '11'],
  steps: classSteps(),
});

const SEARCH = ['semantic_search', 'file_search', 'grep_search', 'read_file'];
const TASK = 'Write a comprehensive, detailed summary with Chronological Review and Continuation Plan.';
const ASK = '<userRequest>\nx\n</userRequest>';

/** What makes a call of a kind. @typedef {{ intent?: string, type?: string, initiator?: 'user' | 'agent', headers?: Record<string, string>, system?: string, user?: string, tools?: string[], more?: object, round?: boolean }} Kind */
/** @type {Readonly<Record<string, Kind>>} */
const KINDS = {
  'agent.turn': { intent: 'agent', user: ASK, tools: ['read_file', 'run_in_terminal'] },
  'agent.round': { intent: 'agent', initiator: 'agent', user: ASK, tools: ['read_file', 'run_in_terminal'], round: true },
  'agent.subagent': { intent: 'agent', type: 'subagent', initiator: 'agent', tools: ['read_file', 'run_in_terminal'], user: ASK },
  'agent.search_subagent': { intent: 'panel', type: 'subagent', initiator: 'agent', tools: SEARCH, system: 'End with <final_answer>.' },
  'agent.execution_subagent': { intent: 'panel', initiator: 'agent', tools: ['run_in_terminal'], user: 'End with <final_answer>.' },
  'agent.claude': { intent: 'messages-proxy', headers: { 'user-agent': 'vscode_claude_code/1.0' }, tools: ['Read', 'Bash'] },
  'agent.codex': { intent: 'responses-proxy', headers: { 'user-agent': 'vscode_codex/1.0' }, tools: ['shell'] },
  'agent.cli': { intent: '', tools: ['bash', 'report_intent', 'store_memory'] },
  'ask.turn': { intent: 'panel', user: '<prompt>\nq\n</prompt>' },
  'edit.turn': { intent: 'panel', tools: ['insert_edit_into_file', 'read_file'] },
  'inline.chat': { intent: 'inline', tools: ['inline_chat_exit'] },
  'inline.edit_text': { intent: 'inline', more: { prediction: { type: 'content', content: 'x' } } },
  notebook: { intent: 'notebook' },
  terminal: { intent: 'terminal' },
  compaction: { intent: 'other', initiator: 'agent', system: TASK, more: { tool_choice: 'none' }, tools: ['read_file', 'run_in_terminal'] },
  'summarize.session': { intent: 'panel', initiator: 'agent', system: TASK },
  title: { intent: 'panel', initiator: 'agent', system: 'You are an expert in crafting pithy titles.' },
  categorize: { intent: 'panel', initiator: 'agent', tools: ['categorize_prompt'] },
  intent_detect: { intent: 'panel', initiator: 'agent', more: { stop: [';'], max_tokens: 20 } },
  progress_msg: { intent: 'inline', initiator: 'agent', system: 'You write encouraging progress messages.' },
  commit_msg: { intent: 'other', user: '<changes>\n<code-changes>\nd\n</code-changes>\n</changes>' },
  pr_description: { intent: 'other', initiator: 'agent', system: 'Write a pull request title between +++ marks.' },
  rename: { intent: 'other', system: 'Give at least four names as a JSON array.' },
  'review.selection': { intent: 'other', initiator: 'agent', user: '<currentChange>\nc\n</currentChange>' },
  code_mapper: { intent: 'other', initiator: 'agent', system: 'You are skilled at applying code changes.' },
  'heal.patch': { intent: 'other', initiator: 'agent', user: '<invalidPatch>\np\n</invalidPatch>' },
  'heal.replace': { intent: 'other', initiator: 'agent', system: 'You analyze files and search patterns.' },
  virtual_tools: { intent: 'other', initiator: 'agent', user: '<group index="1">\n<tool name="a">\n</tool>\n</group>' },
  'search.panel': { intent: 'other', initiator: 'agent', system: 'You know the codebase.', user: '<chunk>\n</chunk>' },
  'search.keywords': { intent: 'other', initiator: 'agent', system: 'Find symbols of the codebase.' },
  'settings.search': { intent: 'other', initiator: 'agent', user: '<settings>\ns\n</settings>' },
  'terminal.quickfix': { intent: 'other', initiator: 'agent', system: 'JSON list of command, description, relevance' },
  tests: { intent: 'panel', user: '<testsFile>\nf\n</testsFile>' },
  helper: { intent: 'panel', type: 'background', initiator: 'agent' },
  'codebase.agent': { intent: 'panel', initiator: 'agent', tools: SEARCH },
  tool_args: { intent: 'panel', initiator: 'agent', tools: ['t'], more: { tool_choice: { type: 'function', function: { name: 't' } } } },
  'mcp.setup': { intent: 'agent', tools: ['get_quick_input', 'get_quick_pick'] },
  lm_api: { intent: 'other', headers: { 'x-onbehalf-extension-id': 'stand-in.extension/1.0' } },
};

/** @param {Kind} kind @param {number} at @returns {import('./build.mjs').Step} */
const kindStep = ({ intent = '', type, initiator = 'user', headers = {}, system = 'Stand-in rules.', user = 'q', tools = [], more = {}, round = false }, at) => {
  const name = intent.includes('proxy') ? intent : `conversation-${intent}`;
  const chat = new Chat({ model: 'gpt-4.1', system, tools, intent: name, interactionType: type ? `conversation-${type}` : name, requestId: 500 + at, interactionId: 600 + at, workspace: null });
  Object.assign(chat.more, more);
  chat.user(user);
  if (round) {
    chat.history.push({ role: 'assistant', text: '', toolCalls: [call('k1', 'read_file', {})] });
    chat.result('k1', 'text');
  }
  const { request, response } = chat.step(initiator, { text: 'ok', usage: { input: 9, cached: 0, output: 1 } });
  const { 'openai-intent': _intent, 'x-interaction-type': _type, ...own } = request.headers;
  return { request: { ...request, headers: intent === '' ? { ...own, ...headers } : { ...request.headers, ...headers } }, response };
};

/** @returns {import('./build.mjs').Session} */
export const everyKind = () => ({
  about:
    'One chat call of every kind of docs/classes.md, all on the Chat Completions wire, each with the least that tells its kind. Kinds that follow from a class (router, nes, apply.instant, review.agent) are in the session every-class.',
  facts: ['6.5', '2.3'],
  steps: Object.values(KINDS).map(kindStep),
});

export const KIND_NAMES = Object.keys(KINDS);
