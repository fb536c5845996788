// Words in which the golden sessions are written: requests as a Copilot client sends them, answers as the service gives them.
// A session is a list of steps in time; both stand-ins, client and service, follow the same list. All names, keys and texts
// are invented; every secret says FAKE.
import { chatCompletions, completions, messages, responses } from '../service/answers.mjs';

/** @typedef {import('../service/answers.mjs').Answer} Answer */
/** @typedef {{ host: string, method: string, path: string, headers: Record<string, string>, body?: string }} Request */
/** @typedef {{ status: number, headers: Record<string, string>, body: string, pieces?: number }} Response */
/** `afterMs`: pause before the request, as if a tool ran. `together`: sent with the step before it. @typedef {{ request: Request, response: Response, afterMs?: number, together?: boolean }} Step */
/** @typedef {{ url: string, headers: Record<string, string>, messages: { send: unknown, receive: unknown[], afterMs?: number }[] }} Socket */
/** @typedef {{ about: string, facts: string[], steps: (Step | { socket: Socket })[] }} Session */

export const DOTCOM = 'api.github.com';
export const API = 'api.individual.githubcopilot.com';
export const PROXY = 'proxy.individual.githubcopilot.com';
export const TELEMETRY = 'telemetry.individual.githubcopilot.com';
export const ORIGIN = 'origin-tracker.individual.githubcopilot.com';

export const OAUTH = 'gho_FAKEFAKEFAKEFAKEFAKEFAKEFAKEFAKE0001';
export const COPILOT_TOKEN = 'tid=FAKE0000standin;exp=1990000000;sku=FAKE_standin;st=dotcom;chat=1:FAKEMAC0123456789abcdef';
export const AUTO_TOKEN = 'FAKEHEADER.FAKEPAYLOADstandin.FAKESIGNATURE0123456789';

export const EDITOR = {
  'editor-version': 'vscode/1.111.0',
  'editor-plugin-version': 'copilot-chat/0.42.0',
  'copilot-integration-id': 'vscode-chat',
  'user-agent': 'GitHubCopilotChat/0.42.0',
  'vscode-sessionid': '00000000-0000-4000-8000-0000000051d31790000000000',
  'vscode-machineid': 'fa4e'.repeat(16),
};

/** Stand-in UUID. @param {number} number */
export const uuid = (number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

export const byUser = { ...EDITOR, authorization: `token ${OAUTH}`, 'x-github-api-version': '2025-04-01' };
export const byBearerUser = { ...EDITOR, authorization: `Bearer ${OAUTH}` };
export const byToken = { ...EDITOR, authorization: `Bearer ${COPILOT_TOKEN}`, 'x-github-api-version': '2025-05-01' };

/** @param {string} host @param {string} path @param {Record<string, string>} headers @param {unknown} answer @param {Partial<Step> & { status?: number }} [more] @returns {Step} */
export const get = (host, path, headers, answer, { status = 200, ...more } = {}) => ({
  request: { host, method: 'GET', path, headers },
  response: json(answer, status),
  ...more,
});

/** @param {string} host @param {string} path @param {Record<string, string>} headers @param {unknown} body @param {unknown} answer @param {Partial<Step> & { status?: number, method?: string }} [more] @returns {Step} */
export const post = (host, path, headers, body, answer, { status = 200, method = 'POST', ...more } = {}) => ({
  request: {
    host,
    method,
    path,
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  },
  response: json(answer, status),
  ...more,
});

/** @param {unknown} value @param {number} [status] @param {Record<string, string>} [headers] @returns {Response} */
export const json = (value, status = 200, headers = {}) => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: typeof value === 'string' ? value : JSON.stringify(value),
});

const QUOTA = (/** @type {number} */ left) => `ent=300&rem=${left}&ov=0&ovPerm=false&rst=2026-12-01T00%3A00%3A00Z`;

/** @param {string[]} events @param {Record<string, string>} [headers] @returns {Response} */
export const stream = (events, headers = {}) => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream', 'x-request-id': uuid(65261), ...headers },
  body: events.join(''),
  pieces: 6,
});

/** What a model answers, with what is usual left out. @param {Partial<Answer> & { model: string }} answer @returns {Answer} */
const full = (answer) => ({
  text: '',
  toolCalls: [],
  usage: { input: 1200, cached: 0, output: 40 },
  finishReason: 'stop',
  ...answer,
});

/** A tool call. @param {string} id @param {string} name @param {unknown} args */
export const call = (id, name, args) => ({ id, name, argumentsText: JSON.stringify(args) });

/** @typedef {{ role: 'user' | 'assistant' | 'result', text: string, toolCalls?: ReturnType<typeof call>[], id?: string }} Said */

const textPart = (/** @type {string} */ text) => ({ type: 'text', text });
const pathOf = { chat: '/chat/completions', responses: '/responses', messages: '/v1/messages' };

const WIRES = {
  /** @param {Chat} chat */
  chat: (chat) => ({
    model: chat.model,
    messages: [
      { role: 'system', content: chat.system },
      ...chat.history.map((said) => {
        if (said.role === 'result') return { role: 'tool', tool_call_id: said.id, content: said.text };
        const toolCalls = said.toolCalls?.map((one) => ({
          id: one.id,
          type: 'function',
          function: { name: one.name, arguments: one.argumentsText },
        }));
        return { role: said.role, content: said.text, ...(toolCalls?.length ? { tool_calls: toolCalls } : {}) };
      }),
    ],
    temperature: 0,
    top_p: 1,
    max_tokens: 16_384,
    n: 1,
    stream: true,
    ...(chat.tools.length ? { tools: chat.tools.map((name) => ({ type: 'function', function: toolOf(name) })) } : {}),
    ...chat.more,
  }),
  /** @param {Chat} chat */
  responses: (chat) => ({
    model: chat.model,
    input: [
      { role: 'system', content: [{ type: 'input_text', text: chat.system }] },
      ...chat.history.flatMap((said) => {
        if (said.role === 'result') return [{ type: 'function_call_output', call_id: said.id, output: said.text }];
        if (said.role === 'user') return [{ role: 'user', content: [{ type: 'input_text', text: said.text }] }];
        const content = [{ type: 'output_text', text: said.text, annotations: [] }];
        const calls = (said.toolCalls ?? []).map((one) => ({
          type: 'function_call',
          name: one.name,
          arguments: one.argumentsText,
          call_id: one.id,
        }));
        return [
          ...(said.text ? [{ type: 'message', role: 'assistant', id: 'msg_123', status: 'completed', content }] : []),
          ...calls,
        ];
      }),
    ],
    stream: true,
    store: false,
    max_output_tokens: 16_384,
    truncation: 'disabled',
    reasoning: { effort: 'medium', summary: 'detailed' },
    include: ['reasoning.encrypted_content'],
    tools: chat.tools.map((name) => ({ type: 'function', ...toolOf(name), strict: false })),
    ...chat.more,
  }),
  /** @param {Chat} chat */
  messages: (chat) => ({
    model: chat.model,
    max_tokens: 16_384,
    stream: true,
    thinking: { type: 'enabled', budget_tokens: 16_000 },
    system: [{ ...textPart(chat.system), cache_control: { type: 'ephemeral' } }],
    messages: joined(
      chat.history.map((said) => {
        if (said.role === 'result')
          return { role: 'user', content: [{ type: 'tool_result', tool_use_id: said.id, content: said.text }] };
        const uses = (said.toolCalls ?? []).map(({ id, name, argumentsText }) => ({
          type: 'tool_use',
          id,
          name,
          input: JSON.parse(argumentsText),
        }));
        return { role: said.role, content: [...(said.text ? [textPart(said.text)] : []), ...uses] };
      }),
    ),
    tools: chat.tools.map((name) => {
      const { parameters, ...tool } = toolOf(name);
      return { ...tool, input_schema: parameters };
    }),
    ...chat.more,
  }),
};

/** The Messages wire has no two neighbours of one role. @param {{ role: string, content: object[] }[]} list */
const joined = (list) => {
  /** @type {{ role: string, content: object[] }[]} */
  const out = [];
  for (const { role, content } of list) {
    const last = out.at(-1);
    if (last?.role === role) last.content.push(...content);
    else out.push({ role, content: [...content] });
  }
  return out;
};

const toolOf = (/** @type {string} */ name) => ({
  name,
  description: `Stand-in description of ${name}.`,
  parameters: { type: 'object', properties: {} },
});

/** One conversation as it grows, on one of the three wires. */
export class Chat {
  /** @type {Said[]} */
  history = [];
  more = {};
  /** Percent of the quota that is left. */
  left = 83.5;

  /** @param {{ wire?: keyof typeof WIRES, model: string, system?: string, tools?: string[], intent?: string, interactionType?: string, requestId: number, interactionId?: number, auto?: boolean, workspace?: string | null }} options */
  constructor({
    wire = 'chat',
    model,
    system = 'You are an expert AI programming assistant, working with a user in the VS Code editor.\nFollow the stand-in rules.',
    tools = [],
    intent = 'conversation-agent',
    interactionType = intent,
    requestId,
    interactionId = 200,
    auto = false,
    workspace = '<environment_info>\nLinux\n</environment_info>\n<workspace_info>\n/stand-in/app\n  src/\n    main.ts\n</workspace_info>',
  }) {
    /** @type {keyof typeof WIRES} */
    this.wire = wire;
    this.model = model;
    this.system = system;
    this.tools = tools;
    this.intent = intent;
    this.interactionType = interactionType;
    this.requestId = requestId;
    this.interactionId = interactionId;
    this.auto = auto;
    if (workspace) this.history.push({ role: 'user', text: workspace });
  }

  /** The user types. @param {string} text @param {string} [around] other sections of the prompt */
  ask(text, around = '<context>\nThe current date is March 1, 2026.\n</context>') {
    this.history.push({ role: 'user', text: `${around}\n<userRequest>\n${text}\n</userRequest>` });
    return this;
  }

  /** A plain user message. @param {string} text */
  user(text) {
    this.history.push({ role: 'user', text });
    return this;
  }

  /** A tool answered. @param {string} id @param {string} text */
  result(id, text) {
    this.history.push({ role: 'result', id, text });
    return this;
  }

  headers(/** @type {'user' | 'agent'} */ initiator) {
    return {
      ...byToken,
      ...(this.auto ? { 'copilot-session-token': AUTO_TOKEN } : {}),
      'openai-intent': this.intent,
      'x-interaction-type': this.interactionType,
      'x-initiator': initiator,
      'x-request-id': uuid(this.requestId),
      'x-agent-task-id': uuid(this.requestId),
      'x-interaction-id': uuid(this.interactionId),
      'content-type': 'application/json',
    };
  }

  /** The next request and its answer, which joins the history. @param {'user' | 'agent'} initiator @param {Partial<Answer>} answer @param {Partial<Step> & { headers?: Record<string, string> }} [more] @returns {Step} */
  step(initiator, answer, { headers = {}, ...more } = {}) {
    const request = this.request(initiator);
    const answered = full({ model: this.model, ...answer });
    const { text, toolCalls } = answered;
    this.history.push({ role: 'assistant', text, toolCalls: /** @type {ReturnType<typeof call>[]} */ (toolCalls) });
    const build = { chat: chatCompletions, responses, messages }[this.wire];
    const end = { chat: ['stop', 'tool_calls'], responses: ['completed', 'completed'], messages: ['end_turn', 'tool_use'] };
    const finishReason = end[this.wire][toolCalls.length ? 1 : 0] ?? 'stop';
    const { events } = build({ ...answered, finishReason });
    const response = stream(events, { 'x-quota-snapshot-premium_interactions': QUOTA(this.left), ...headers });
    return { request, response, ...more };
  }

  /** The same request, refused. @param {'user' | 'agent'} initiator @param {Response} response @param {Partial<Step>} [more] @returns {Step} */
  refused(initiator, response, more = {}) {
    return { request: this.request(initiator), response, ...more };
  }

  /** @param {'user' | 'agent'} initiator @returns {Request} */
  request(initiator) {
    const path = pathOf[this.wire];
    return { host: API, method: 'POST', path, headers: this.headers(initiator), body: JSON.stringify(WIRES[this.wire](this)) };
  }
}

/** A helper call without tools: title, summary, … @param {{ model?: string, system: string, text: string, intent?: string, initiator?: 'user' | 'agent', requestId: number, interactionId?: number, answer: string, more?: object, tools?: string[], interactionType?: string }} options @returns {Step} */
export function helper({ model = 'gpt-4o-mini', system, text, intent = 'conversation-panel', initiator = 'agent', answer, more = {}, ...ids }) {
  const chat = new Chat({ model, system, intent, workspace: null, ...ids });
  Object.assign(chat.more, more);
  return chat.user(text).step(initiator, { text: answer, usage: { input: 300, cached: 0, output: 12 } });
}

/** Ghost text. @param {{ prefix: string, suffix?: string, path: string, language: string, recent?: string, answer: string }} options @returns {Step} */
export function ghost({ prefix, suffix = '\n', path, language, recent = '', answer }) {
  const model = 'gpt-41-copilot';
  const headers = {
    ...byToken,
    'openai-intent': 'copilot-ghost',
    'x-copilot-async': 'true',
    'x-copilot-speculative': 'false',
    'openai-organization': 'github-copilot',
  };
  const body = {
    prompt: prefix,
    suffix,
    max_tokens: 500,
    temperature: 0,
    top_p: 1,
    n: 1,
    stop: ['\n\n\n', '\n```'],
    stream: true,
    nwo: 'stand-in/app',
    code_annotations: false,
    extra: { language, next_indent: 0, prompt_tokens: 40, suffix_tokens: 1, context: [`Path: ${path}`, recent] },
  };
  const answered = completions({ model, text: answer, toolCalls: [], usage: { input: 60, cached: 0, output: 8 }, finishReason: 'stop' });
  const step = post(PROXY, `/v1/engines/${model}/completions`, headers, body, {});
  return { ...step, response: stream(answered.events) };
}

/** A model as the chat host lists it. @param {string} id @param {string[]} endpoints @param {number} multiplier @param {object} [more] */
export const model = (id, endpoints, multiplier, more = {}) => ({
  id,
  name: id,
  vendor: 'Stand-in',
  version: `${id}-2026-02-01`,
  model_picker_enabled: true,
  preview: false,
  is_chat_default: false,
  is_chat_fallback: false,
  billing: { is_premium: multiplier > 0, multiplier },
  capabilities: {
    type: 'chat',
    family: id,
    tokenizer: 'o200k_base',
    limits: { max_prompt_tokens: 128_000, max_output_tokens: 16_384, max_context_window_tokens: 144_384 },
    supports: { streaming: true, tool_calls: true },
  },
  supported_endpoints: endpoints,
  ...more,
});

export const MODELS = {
  data: [
    model('gpt-4.1', ['/chat/completions'], 0, { is_chat_default: true, is_chat_fallback: true }),
    model('gpt-4o-mini', ['/chat/completions'], 0, { model_picker_enabled: false }),
    model('gpt-5.4', ['/responses', 'ws:/responses'], 1),
    model('claude-sonnet-4.6', ['/chat/completions', '/v1/messages'], 1),
  ],
};

/** @returns {Step} */
export const modelList = () => get(API, '/models', { ...byToken, 'openai-intent': 'model-access' }, MODELS);
