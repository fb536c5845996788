// One row per kind: the least that a call must have to be of it.

import { describe, expect, it } from 'vitest';
import { KIND_BY_CLASS, KINDS, kindOf, viewOf } from '../../src/copilot/index.ts';
import { dialectByName, readJson } from '../../src/dialects/index.ts';
import type { HeaderField } from '../../src/model/index.ts';
import { HANG_MS } from '../kit/hang.ts';

interface Chat {
  readonly class?: string;
  readonly dialect?: string;
  readonly intent?: string;
  readonly type?: string;
  readonly initiator?: string;
  readonly headers?: readonly HeaderField[];
  readonly system?: string;
  readonly user?: string;
  readonly tools?: readonly string[];
  readonly body?: Readonly<Record<string, unknown>>;
}

const pairs = (chat: Chat): HeaderField[] => {
  const fields: [string, string | undefined][] = [
    ['openai-intent', chat.intent && (chat.intent.includes('-') ? chat.intent : `conversation-${chat.intent}`)],
    ['x-interaction-type', chat.type && `conversation-${chat.type}`],
    ['x-initiator', chat.initiator],
  ];
  return [...fields.filter((field): field is [string, string] => field[1] !== undefined), ...(chat.headers ?? [])];
};

function kind(chat: Chat): string | undefined {
  const body = {
    model: 'm',
    messages: [
      { role: 'system', content: chat.system ?? 'rules' },
      { role: 'user', content: chat.user ?? 'q' },
    ],
    tools: (chat.tools ?? []).map((name) => ({ type: 'function', function: { name } })),
    ...chat.body,
  };
  const callClass = chat.class ?? 'chat.completions';
  const head = {
    httpVersion: '2',
    scheme: null,
    unknown: [],
    method: 'POST',
    authority: 'api.githubcopilot.com',
    path: '/x',
    headers: pairs(chat),
  } as const;
  const request = dialectByName(chat.dialect ?? 'openai-chat')?.request(readJson(JSON.stringify(body)).value, null);
  return kindOf(viewOf({ head, sni: undefined, body }), { class: callClass }, request)?.kind;
}

const SEARCH = ['semantic_search', 'file_search', 'grep_search', 'read_file'];
const nudged = {
  messages: [
    { role: 'user', content: '<userRequest>x</userRequest>' },
    { role: 'assistant', content: 'half' },
    { role: 'user', content: 'Please continue' },
  ],
};
const result = {
  messages: [
    { role: 'user', content: '<userRequest>x</userRequest>' },
    { role: 'assistant', tool_calls: [] },
    { role: 'tool', tool_call_id: 'c', content: 'r' },
  ],
};
const ask = '<userRequest>\nx\n</userRequest>';
const task = 'Write a comprehensive, detailed summary with Chronological Review and Continuation Plan.';

const ROWS: readonly (readonly [kind: string, chat: Chat])[] = [
  ['agent.claude', { headers: [['user-agent', 'vscode_claude_code/1.0']] }],
  ['agent.claude', { intent: 'messages-proxy' }],
  ['agent.claude', { class: 'local.claude_proxy' }],
  ['agent.codex', { intent: 'responses-proxy', class: 'chat.responses' }],
  ['agent.codex', { headers: [['user-agent', 'vscode_codex/1.0']] }],
  ['lm_api', { intent: 'other', initiator: 'user', headers: [['x-onbehalf-extension-id', 'a.b/1']] }],
  ['compaction', { type: 'compaction' }],
  [
    'compaction',
    { intent: 'other', system: task, tools: ['read_file', 'run_in_terminal'], body: { tool_choice: 'none' } },
  ],
  ['compaction', { intent: 'other', user: task, tools: ['read_file'] }],
  ['summarize.session', { intent: 'panel', initiator: 'agent', system: task }],
  ['agent.search_subagent', { type: 'subagent', tools: SEARCH }],
  ['agent.search_subagent', { intent: 'panel', tools: SEARCH, system: 'end with <final_answer>' }],
  ['agent.execution_subagent', { intent: 'panel', tools: ['run_in_terminal'], user: 'end with <final_answer>' }],
  ['agent.subagent', { intent: 'agent', type: 'subagent', tools: ['read_file', 'run_in_terminal'] }],
  ['intent_detect', { intent: 'panel', body: { stop: [';'], max_tokens: 20 } }],
  ['categorize', { intent: 'panel', tools: ['categorize_prompt'] }],
  ['mcp.setup', { intent: 'agent', initiator: 'user', tools: ['get_quick_input', 'get_quick_pick'] }],
  ['title', { intent: 'panel', initiator: 'agent', system: 'You write pithy titles.' }],
  ['progress_msg', { intent: 'inline', initiator: 'agent', system: 'You write encouraging progress messages.' }],
  [
    'commit_msg',
    { intent: 'other', initiator: 'user', user: '<changes>\n<code-changes>\nd\n</code-changes>\n</changes>' },
  ],
  ['heal.patch', { intent: 'other', user: '<invalidPatch>\np\n</invalidPatch>' }],
  ['review.selection', { intent: 'other', user: '<currentChange>\nc\n</currentChange>' }],
  ['code_mapper', { intent: 'other', system: 'You are skilled at applying code changes.' }],
  ['virtual_tools', { intent: 'other', user: '<group index="1">\n<tool name="a">\n</tool>\n</group>' }],
  ['settings.search', { intent: 'other', user: '<settings>\ns\n</settings>' }],
  ['pr_description', { intent: 'other', initiator: 'agent', system: 'Write a pull request title between +++ marks' }],
  ['heal.replace', { intent: 'other', initiator: 'agent', system: 'You analyze files and search patterns.' }],
  [
    'terminal.quickfix',
    { intent: 'other', initiator: 'agent', system: 'JSON list of command, description, relevance' },
  ],
  ['rename', { intent: 'other', initiator: 'user', system: 'Give names as a JSON array' }],
  ['search.panel', { intent: 'other', initiator: 'agent', system: 'You know the codebase', user: '<chunk>\n</chunk>' }],
  ['search.keywords', { intent: 'other', initiator: 'agent', system: 'Find symbols of the codebase' }],
  [
    'tool_args',
    {
      intent: 'panel',
      initiator: 'agent',
      tools: ['t'],
      body: { tool_choice: { type: 'function', function: { name: 't' } } },
    },
  ],
  ['inline.chat', { intent: 'inline', initiator: 'user', tools: ['inline_chat_exit'] }],
  [
    'inline.edit_text',
    { intent: 'inline', initiator: 'user', body: { prediction: { type: 'content', content: 'x' } } },
  ],
  ['notebook', { intent: 'notebook' }],
  ['terminal', { intent: 'terminal', initiator: 'user' }],
  ['agent.cli', { tools: ['bash', 'report_intent', 'store_memory'] }],
  ['agent.turn', { intent: 'agent', initiator: 'user', user: ask, tools: ['read_file'] }],
  ['agent.turn', { class: 'byok.openai', user: ask, tools: ['read_file'] }],
  ['agent.round', { intent: 'agent', initiator: 'agent', tools: ['read_file'], body: result }],
  ['agent.round', { class: 'byok.ollama', tools: ['read_file'], body: result }],
  ['agent.round', { intent: 'agent', dialect: 'anthropic-messages', tools: ['read_file'], body: nudged }],
  ['codebase.agent', { intent: 'panel', initiator: 'agent', tools: SEARCH, body: { temperature: 0 } }],
  ['edit.turn', { intent: 'panel', initiator: 'user', tools: ['insert_edit_into_file', 'read_file'] }],
  ['helper', { intent: 'panel', initiator: 'agent' }],
  ['helper', { intent: 'panel', type: 'background', initiator: 'agent' }],
  ['tests', { intent: 'panel', initiator: 'user', user: '<testsFile>\nf\n</testsFile>' }],
  ['ask.turn', { intent: 'panel', initiator: 'user' }],
  ['ask.turn', { intent: 'panel', initiator: 'agent', user: '<prompt>\nq\n</prompt>' }],
  ['ask.turn', { intent: 'edits', initiator: 'agent', tools: SEARCH }],
];

describe('kinds of chat calls', () => {
  it.each(ROWS)('%s: %j', (name, chat) => {
    expect(kind(chat)).toBe(name);
  });

  it('have a test row each', () => {
    expect([...new Set(ROWS.map(([name]) => name))].sort()).toEqual(
      [...new Set(KINDS.map((rule) => rule.kind))].sort(),
    );
  });

  it.each(Object.entries(KIND_BY_CLASS))('follow from the class alone: %s', (callClass, { kind: name }) => {
    expect(kind({ class: callClass })).toBe(name);
  });

  it('read an Anthropic tool result in a user message as a round, and a human text after it as a turn', () => {
    const toolResult = { type: 'tool_result', tool_use_id: 't', content: 'r' };
    const chat = { class: 'chat.messages', dialect: 'anthropic-messages', intent: 'agent' };
    const messages = (last: unknown) => ({
      body: {
        tools: [{ name: 'read_file', input_schema: {} }],
        messages: [
          { role: 'user', content: ask },
          { role: 'assistant', content: [] },
          { role: 'user', content: last },
        ],
      },
    });
    expect(kind({ ...chat, ...messages([toolResult]) })).toBe('agent.round');
    expect(kind({ ...chat, ...messages([{ type: 'text', text: ask }]) })).toBe('agent.turn');
  });

  it('are not given to other calls, nor to chats that nothing tells about', () => {
    expect(kind({ class: 'chunks', user: ask })).toBeUndefined();
    expect(kind({})).toBeUndefined();
  });

  it('are not fooled by tags deep inside a file', () => {
    const user = `${'x'.repeat(40_000)}<invalidPatch>${'y'.repeat(40_000)}`;
    expect(kind({ intent: 'agent', user, tools: ['read_file'] })).toBe('agent.turn');
  });
});

it.each([
  ['words without an end', 'JSON command '.repeat(6000)],
  ['one long word', 'analys'.repeat(12_000)],
  ['open tags', '<group <tool <settings'.repeat(4000)],
  ['line ends', '\n'.repeat(80_000)],
])('tells a kind in linear time, whatever the text: %s', (_name, text) => {
  const started = performance.now();
  for (const system of [text, '']) kind({ intent: 'other', initiator: 'agent', system, user: text });
  // A quadratic pattern takes many seconds here.
  expect(performance.now() - started).toBeLessThan(HANG_MS);
});
