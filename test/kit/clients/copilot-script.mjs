// The requests of the scripted Copilot-like client: a boot, one agent turn in three wire formats with a tool call each, ghost
// text, a next edit, embeddings, telemetry. Header names as the real client sends them; every secret says FAKE.
export const FAKE_OAUTH_TOKEN = 'gho_FAKEFAKEFAKEFAKEFAKEFAKEFAKEFAKE0001';
const FAKE_BEARER =
  'Bearer tid=FAKE0000standin;exp=1990000000;sku=FAKE_standin;st=dotcom;chat=1:FAKEMAC0123456789abcdef';
const FAKE_SESSION = 'FAKEHEADER.FAKEPAYLOADstandin.FAKESIGNATURE0123456789';

export const HOSTS = {
  dotcom: 'api.github.com',
  api: 'api.individual.githubcopilot.com',
  proxy: 'proxy.individual.githubcopilot.com',
  telemetry: 'telemetry.individual.githubcopilot.com',
};

const EDITOR = {
  'editor-version': 'vscode/1.111.0',
  'editor-plugin-version': 'copilot-chat/0.42.0',
  'copilot-integration-id': 'vscode-chat',
  'user-agent': 'GitHubCopilotChat/0.42.0',
  'vscode-sessionid': '00000000-0000-4000-8000-0000000051d31790000000000',
  'vscode-machineid': 'fa4e'.repeat(16),
};

/** @param {string} intent @param {'user' | 'agent'} initiator @param {number} turn */
const chatHeaders = (intent, initiator, turn) => ({
  ...EDITOR,
  authorization: FAKE_BEARER,
  'copilot-session-token': FAKE_SESSION,
  'openai-intent': intent,
  'x-interaction-type': intent,
  'x-initiator': initiator,
  'x-request-id': `00000000-0000-4000-8000-00000000010${turn}`,
  'x-agent-task-id': `00000000-0000-4000-8000-00000000010${turn}`,
  'x-interaction-id': '00000000-0000-4000-8000-000000000200',
  'x-github-api-version': '2025-05-01',
  'x-vscode-user-agent-library-version': 'node-fetch',
  'content-type': 'application/json',
});

const PROMPT = 'Make answer() return 42 — bitte, with a test 🙂.';
const SYSTEM = 'You are a stand-in for an agent prompt. '.repeat(60);
const RESULT = 'export const answer = () => 41;\n'.repeat(40);
const CALL = {
  id: 'call_standin_1',
  name: 'read_file',
  arguments: '{"filePath":"/stand-in/src/main.ts","startLine":1,"endLine":40}',
};
const SCHEMA = {
  type: 'object',
  properties: { filePath: { type: 'string' }, startLine: { type: 'number' }, endLine: { type: 'number' } },
};
const ABOUT = 'Reads a part of a file.';

/** @param {string} host @param {string} path @param {Record<string, string>} headers */
const get = (host, path, headers) => ({ host, method: 'GET', path, headers });

/** @param {string} host @param {string} path @param {Record<string, string>} headers @param {unknown} body */
const post = (host, path, headers, body) => ({
  host,
  method: 'POST',
  path,
  headers,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});

const oauth = { ...EDITOR, authorization: `token ${FAKE_OAUTH_TOKEN}`, 'x-github-api-version': '2025-04-01' };
const bearer = { ...EDITOR, authorization: FAKE_BEARER, 'x-github-api-version': '2025-05-01' };
const json = { ...bearer, 'content-type': 'application/json' };

export const BOOT = [
  get(HOSTS.dotcom, '/copilot_internal/v2/token', oauth),
  get(HOSTS.dotcom, '/copilot_internal/user', oauth),
  get(HOSTS.dotcom, '/copilot_internal/content_exclusion?repos=stand-in%2Frepo', oauth),
  get(HOSTS.dotcom, '/copilot/mcp_registry', oauth),
  get(HOSTS.api, '/models', { ...bearer, 'openai-intent': 'model-access' }),
  get(HOSTS.api, '/agents/swe/models', { ...EDITOR, authorization: `Bearer ${FAKE_OAUTH_TOKEN}` }),
  post(HOSTS.api, '/models/session', json, { auto_mode: { model_hints: ['auto'] } }),
];

const INTENT = post(
  HOSTS.api,
  '/models/session/intent',
  { ...bearer, 'copilot-session-token': FAKE_SESSION },
  {
    prompt: PROMPT,
    available_models: ['gpt-5.4', 'gpt-4.1'],
    turn_number: 1,
    session_id: 'stand-in',
    reference_count: 0,
    prompt_char_count: PROMPT.length,
  },
);

/** @param {boolean} hasResult */
const chatBody = (hasResult) => ({
  model: 'gpt-4.1',
  messages: [
    { role: 'system', content: SYSTEM, copilot_cache_control: { type: 'ephemeral' } },
    { role: 'user', content: PROMPT },
    ...(hasResult
      ? [
          {
            role: 'assistant',
            content: 'I will read the file first.',
            tool_calls: [{ id: CALL.id, type: 'function', function: { name: CALL.name, arguments: CALL.arguments } }],
          },
          { role: 'tool', tool_call_id: CALL.id, content: RESULT },
        ]
      : []),
  ],
  temperature: 0,
  top_p: 1,
  max_tokens: 16_384,
  n: 1,
  stream: true,
  tools: [{ type: 'function', function: { name: CALL.name, description: ABOUT, parameters: SCHEMA } }],
});

/** @param {boolean} hasResult @param {boolean} isStream */
export const responsesBody = (hasResult, isStream) => ({
  model: 'gpt-5.4',
  input: [
    { role: 'system', content: [{ type: 'input_text', text: SYSTEM }] },
    { role: 'user', content: [{ type: 'input_text', text: PROMPT }] },
    ...(hasResult
      ? [
          { type: 'function_call', name: CALL.name, arguments: CALL.arguments, call_id: CALL.id },
          { type: 'function_call_output', call_id: CALL.id, output: RESULT },
        ]
      : []),
  ],
  ...(isStream ? { stream: true } : {}),
  store: false,
  max_output_tokens: 16_384,
  truncation: 'disabled',
  reasoning: { effort: 'medium', summary: 'detailed' },
  include: ['reasoning.encrypted_content'],
  tools: [{ type: 'function', name: CALL.name, description: ABOUT, parameters: SCHEMA, strict: false }],
});

/** @param {boolean} hasResult */
const messagesBody = (hasResult) => ({
  model: 'claude-sonnet-4.6',
  max_tokens: 16_384,
  stream: true,
  thinking: { type: 'enabled', budget_tokens: 16_000 },
  system: [{ type: 'text', text: SYSTEM, cache_control: { type: 'ephemeral' } }],
  messages: [
    { role: 'user', content: [{ type: 'text', text: PROMPT }] },
    ...(hasResult
      ? [
          {
            role: 'assistant',
            content: [{ type: 'tool_use', id: CALL.id, name: CALL.name, input: JSON.parse(CALL.arguments) }],
          },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: CALL.id, content: RESULT }] },
        ]
      : []),
  ],
  tools: [{ name: CALL.name, description: ABOUT, input_schema: SCHEMA }],
});

/** Rounds of one turn share the request id; the second is the agent's. @param {string} path @param {number} turn @param {(hasResult: boolean) => unknown} body @param {string} [query] */
const turn = (path, turn, body, query = '') => [
  post(HOSTS.api, path + query, chatHeaders('conversation-agent', 'user', turn), body(false)),
  post(HOSTS.api, path + query, chatHeaders('conversation-agent', 'agent', turn), body(true)),
];

export const CHAT = [
  INTENT,
  ...turn('/chat/completions', 1, chatBody),
  ...turn('/responses', 2, (hasResult) => responsesBody(hasResult, true), '?coding=gzip'),
  ...turn('/v1/messages', 3, messagesBody, '?coding=br'),
];

const GHOST = post(
  HOSTS.proxy,
  '/v1/engines/gpt-41-copilot/completions',
  {
    ...json,
    'openai-intent': 'copilot-ghost',
    'x-copilot-async': 'true',
    'x-copilot-speculative': 'false',
    'openai-organization': 'github-copilot',
  },
  {
    prompt: 'export function double(answer: number) {\n',
    suffix: '\n',
    max_tokens: 500,
    temperature: 0,
    top_p: 1,
    n: 1,
    stop: ['\n\n\n', '\n```'],
    stream: true,
    nwo: 'stand-in/repo',
    extra: {
      language: 'typescript',
      next_indent: 2,
      prompt_tokens: 10,
      suffix_tokens: 1,
      context: ['Path: src/double.ts', ''],
    },
  },
);

const NES = post(
  HOSTS.proxy,
  '/chat/completions',
  { ...json, 'openai-intent': 'conversation-other', 'x-initiator': 'agent' },
  {
    model: 'copilot-nes-oct',
    messages: [
      {
        role: 'user',
        content:
          '<|current_file_content|>\ncurrent_file_path: src/main.ts\n<|/current_file_content|>\n<|code_to_edit|>\nreturn 41;\n<|/code_to_edit|>',
      },
    ],
    temperature: 0,
    top_p: 1,
    n: 1,
    stream: true,
    prediction: { type: 'content', content: 'return 41;' },
  },
);

const EMBED = post(HOSTS.api, '/embeddings', json, {
  input: ['export const answer = () => 41;'],
  model: 'text-embedding-3-small',
  dimensions: 512,
});
const TELEMETRY = post(
  HOSTS.telemetry,
  '/telemetry',
  { 'content-type': 'application/x-json-stream', 'user-agent': EDITOR['user-agent'] },
  `${JSON.stringify({ name: 'stand-in/event', data: { baseData: { name: 'copilot-chat/request.sent' } } })}\n`,
);

export const EDITING = [GHOST, NES, EMBED, TELEMETRY];

export const SOCKET_HEADERS = chatHeaders('conversation-agent', 'user', 4);
