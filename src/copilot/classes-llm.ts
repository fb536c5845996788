// Rows of the classification table that are LLM calls: at Copilot's own hosts, at providers that the user has keys for,
// and on loopback between the editor and agents that it runs.

import { hasNesSections, NES_MODEL } from '../dialects/index.ts';
import { bearerStarts, type ClassRule, type Test, test } from './rule.ts';
import { bodyModel, header } from './view.ts';

const model = (pattern: RegExp): Test => test(`model ${pattern.source}`, (view) => pattern.test(bodyModel(view)));
const nonce = test('bearer vscode-lm-', (view) => bearerStarts(view, 'vscode-lm-'));
const socket = test('asks for a WebSocket', (view) => view.socket);
const nesPrompt = test('section code_to_edit', (view) => hasNesSections(view.body));
const prediction = test('body has prediction', (view) => 'prediction' in view.body);
const editsSession = test('header copilot-edits-session', (view) => header(view, 'copilot-edits-session') !== '');
const ollamaPort = test('port 11434', (view) => view.port === 11434);

/** Paths of a provider that are LLM calls; the rest of its API (model lists, files) keeps no body. */
const LLM_PATH = /\/(chat\/completions|completions|responses|messages|embeddings)$|:(stream)?[gG]enerateContent$/;

const POST = ['POST'];
const CHAT = /^\/(v1\/)?chat\/completions$/;

/** Servers of the editor on loopback. First of all: their requests also look like the provider's own. */
export const LOCAL: readonly ClassRule[] = [
  {
    id: 'local.claude_proxy',
    class: 'local.claude_proxy',
    about: 'Claude agent to the editor, in clear on loopback; the copy to the API host is chat.messages',
    hosts: ['loopback'],
    methods: POST,
    path: /^\/(v1\/)?messages$/,
    tests: [nonce],
    dialect: 'anthropic-messages',
    source: 'S',
    confidence: 'high',
  },
  {
    id: 'local.responses_proxy',
    class: 'local.responses_proxy',
    about: 'Codex or another extension to the editor, in clear on loopback; the copy is chat.responses',
    hosts: ['loopback'],
    methods: POST,
    path: /^\/(v1\/)?responses$/,
    tests: [nonce],
    dialect: 'openai-responses',
    source: 'S',
    confidence: 'high',
  },
  {
    id: 'local.lm_server',
    class: 'local.lm_server',
    about: "other requests to the editor's language model server on loopback",
    hosts: ['loopback'],
    path: /^\//,
    tests: [nonce],
    source: 'S',
    confidence: 'medium',
  },
];

/** Own keys: the provider's host decides, the dialect follows the path and the body. */
export const BYOK: readonly ClassRule[] = [
  ...provider('openai', 'S', 'OpenAI'),
  ...provider('anthropic', 'S', 'Anthropic'),
  ...provider('gemini', 'S', 'Google Gemini'),
  ...provider('openrouter', 'S', 'OpenRouter'),
  ...provider('xai', 'S', 'xAI'),
  ...provider('azure', 'S', 'Azure'),
  {
    ...ollama('byok.ollama', /\/(chat\/completions|responses|messages|embeddings)$|^\/api\/(chat|generate)$/, [
      ollamaPort,
    ]),
    dialect: 'by-body',
  },
  ollama('byok.ollama.other', /^\//, [ollamaPort]),
  { ...ollama('byok.ollama.chat', /^\/api\/(chat|generate)$/, []), dialect: 'ollama' },
  ollama('byok.ollama.info', /^\/api\/(tags|show|version)$/, []),
];

/** Copilot's own LLM calls. Proxy rows by model before the rows that only see the path. */
export const LLM: readonly ClassRule[] = [
  proxyChat('nes.cursor', [model(/^copilot-suggestions-/)], 'next cursor position', 'openai-chat'),
  proxyChat('apply.instant', [model(/^gpt-4o-instant-apply/)], 'applies an edit to a file', 'openai-chat'),
  proxyChat('search.agentic', [model(/^agentic-search-/)], 'search subagent at the completions host', 'openai-chat'),
  proxyChat('nes', [model(NES_MODEL)], 'next edit suggestion', 'nes'),
  { ...proxyChat('nes', [nesPrompt], 'next edit suggestion', 'nes'), id: 'nes.prompt' },
  {
    ...proxyChat('apply.instant', [editsSession, prediction], 'applies an edit to a file', 'openai-chat'),
    id: 'apply.instant.session',
  },
  llm('chat.completions', ['capi'], CHAT, 'openai-chat', 'S M W', 'chat, OpenAI Chat Completions wire'),
  {
    ...llm('nes', ['proxy'], CHAT, 'nes', 'S W', 'next edit suggestion'),
    id: 'nes.host',
    confidence: 'low',
  },
  {
    ...llm(
      'chat.responses.ws',
      ['capi'],
      /^\/(v1\/)?responses$/,
      'openai-responses',
      'C V',
      'chat, OpenAI Responses over WebSocket',
    ),
    methods: ['GET', 'CONNECT'],
    tests: [socket],
  },
  llm('chat.responses', ['capi'], /^\/(v1\/)?responses$/, 'openai-responses', 'S M C', 'chat, OpenAI Responses wire'),
  llm('chat.messages', ['capi'], /^\/v1\/messages$/, 'anthropic-messages', 'S M', 'chat, Anthropic Messages wire'),
  llm(
    'completions.inline',
    ['proxy', 'capi', 'any'],
    /^\/v1\/engines\/[^/]+\/completions$/,
    'openai-completions',
    'S W seed0',
    'ghost text',
  ),
  llm('embeddings.capi', ['capi', 'proxy'], /^\/embeddings$/, 'embeddings', 'S M', 'embeddings, OpenAI shape'),
  {
    ...llm('embeddings.dotcom', ['dotcom'], /^\/embeddings$/, 'embeddings', 'S M', 'embeddings, GitHub shape'),
    confidence: 'medium',
  },
  llm('review.agent', ['capi'], /^\/agents\/github-code-review$/, 'openai-chat', 'S', 'code review agent', 'medium'),
  llm(
    'agents.chat',
    ['capi'],
    /^\/agents\/(?!swe\/|sessions(\/|$)|analytics\/)[^/]+/,
    'openai-chat',
    'S',
    'remote agent',
    'low',
  ),
];

function llm(
  name: string,
  hosts: ClassRule['hosts'],
  path: RegExp,
  dialect: string,
  source: string,
  about: string,
  confidence: ClassRule['confidence'] = 'high',
): ClassRule {
  return { id: name, class: name, hosts, methods: POST, path, dialect, source, about, confidence };
}

function proxyChat(name: string, tests: readonly Test[], about: string, dialect: string): ClassRule {
  return { ...llm(name, ['proxy'], CHAT, dialect, 'S W', about), tests };
}

function provider(name: string, source: string, title: string): ClassRule[] {
  const row = {
    class: `byok.${name}`,
    about: `own key: ${title}`,
    hosts: [`byok-${name}` as ClassRule['hosts'][number]],
    source,
    confidence: 'high' as const,
  };
  return [
    { ...row, id: `byok.${name}`, path: LLM_PATH, dialect: 'by-body' },
    { ...row, id: `byok.${name}.other`, path: /^\// },
  ];
}

function ollama(id: string, path: RegExp, tests: readonly Test[]): ClassRule {
  return {
    id,
    class: 'byok.ollama',
    about: 'local models: Ollama',
    hosts: ['loopback'],
    path,
    tests,
    source: 'S',
    confidence: 'high',
  };
}
