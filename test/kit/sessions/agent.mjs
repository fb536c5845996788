// Sessions of agents: a long turn, a dialogue with the session store, a conversation that moves to another model, a subagent,
// a retry, and the same wire over a WebSocket.
import { API, byToken, Chat, call, get, helper, json, modelList, uuid } from './build.mjs';
import { responsesEvents } from '../service/answers.mjs';

const TOOLS = [
  'read_file',
  'grep_search',
  'replace_string_in_file',
  'run_in_terminal',
  'manage_todo_list',
  'memory',
  'fetch_webpage',
  'runSubagent',
  'mcp_github_create_issue',
];

/** @typedef {'not-started' | 'in-progress' | 'completed'} State */
const TITLES = ['Find where dates are parsed', 'Parse them as UTC', 'Run the tests'];
/** @param {string} id @param {State[]} states */
const todo = (id, states) =>
  call(id, 'manage_todo_list', { todoList: TITLES.map((title, at) => ({ id: at + 1, title, status: states[at] })) });
const DONE = 'Successfully wrote todo list';

const SUMMARY = 'The user wants dates parsed as UTC.\nparseDate() in src/dates.ts was changed; its test still has to run.';
const SUMMARY_TASK =
  'Your task is to create a comprehensive, detailed summary of the entire conversation.\n1. Chronological Review\n2. Intent Mapping\n3. Technical Foundation\n4. Continuation Plan';

/** @returns {import('./build.mjs').Session} */
export const agentTurn = () => {
  const system =
    'You are an expert AI programming assistant, working with a user in the VS Code editor.\nFollow the stand-in rules.\n<instruction forToolsWithPrefix="mcp_github">\nUse it for issues.\n</instruction>';
  const chat = new Chat({ wire: 'messages', model: 'claude-sonnet-4.6', requestId: 101, tools: TOOLS, system });
  const question = 'Dates are parsed in local time. Parse them as UTC, test it, and file an issue for the docs.';
  chat.ask(question);
  /** @param {Parameters<Chat['step']>[1]} answer @param {number} input @param {number} cached */
  const round = (answer, input, cached) =>
    chat.step(chat.history.at(-1)?.role === 'user' ? 'user' : 'agent', { ...answer, usage: { input, cached, output: 45 } }, { afterMs: 8 });
  const steps = [modelList()];
  steps.push(round({ thinking: 'I should plan this. ', text: 'I will plan the work first.', toolCalls: [todo('t1', ['in-progress', 'not-started', 'not-started'])] }, 1900, 0));
  chat.result('t1', DONE);
  const title = helper({
    system: 'You are an expert in crafting pithy titles for chatbot conversations.',
    text: `Please write a brief title for the following request:\n\n${question}`,
    requestId: 301,
    answer: 'Parse dates as UTC',
  });
  steps.push({ ...title, together: true });
  steps.push(round({ text: 'Looking for notes about this project.', toolCalls: [call('t2', 'memory', { command: 'view', path: '/memories/repo/' })] }, 2000, 1800));
  chat.result('t2', 'build.md: run `npm test -- --run`');
  steps.push(round({ text: '', toolCalls: [call('t3', 'grep_search', { query: 'parseDate', isRegexp: false })] }, 2100, 1900));
  chat.result('t3', '2 matches\nsrc/dates.ts:4: export function parseDate(text: string): Date {\nsrc/main.ts:9: parseDate(input)');
  steps.push(round({ text: 'It is in src/dates.ts.', toolCalls: [call('t4', 'read_file', { filePath: '/stand-in/app/src/dates.ts', startLine: 1, endLine: 20 })] }, 2250, 2000));
  chat.result('t4', 'export function parseDate(text: string): Date {\n  return new Date(text);\n}');
  steps.push(round({ text: '', toolCalls: [todo('t5', ['completed', 'in-progress', 'not-started'])] }, 2400, 2200));
  chat.result('t5', DONE);
  steps.push(
    round(
      {
        text: 'Now the change.',
        toolCalls: [call('t6', 'replace_string_in_file', { filePath: '/stand-in/app/src/dates.ts', oldString: 'new Date(text)', newString: 'new Date(`${text}Z`)' })],
      },
      2500,
      2300,
    ),
  );
  chat.result('t6', 'The file was edited.');
  // The history is too long for the model: it is replaced by a summary.
  const compaction = new Chat({ wire: 'messages', model: 'claude-sonnet-4.6', requestId: 401, tools: TOOLS, system, intent: 'conversation-other', workspace: null });
  compaction.history = [...chat.history];
  compaction.more = { tool_choice: { type: 'none' } };
  compaction.user(SUMMARY_TASK);
  steps.push(
    compaction.step('agent', { text: `<analysis>\nAll of it matters.\n</analysis>\n<summary>\n${SUMMARY}\n</summary>`, usage: { input: 2700, cached: 2300, output: 90 } }),
  );
  const [workspace] = chat.history;
  chat.history = [
    ...(workspace ? [workspace] : []),
    { role: 'user', text: `<conversation-summary>\n${SUMMARY}\n</conversation-summary>\n<userRequest>\n${question}\n</userRequest>` },
    { role: 'assistant', text: 'Now the change.', toolCalls: [call('t6', 'replace_string_in_file', { filePath: '/stand-in/app/src/dates.ts' })] },
    { role: 'result', id: 't6', text: 'The file was edited.' },
  ];
  steps.push(round({ text: '', toolCalls: [call('t7', 'run_in_terminal', { command: 'npm test -- --run', explanation: 'Run the tests', isBackground: false })] }, 1500, 700));
  chat.result('t7', '1 failed: parses a date with a zone');
  steps.push(round({ thinking: 'A zone is already there. ', text: 'A date with a zone must stay as it is.', toolCalls: [call('t8', 'replace_string_in_file', { filePath: '/stand-in/app/src/dates.ts', oldString: '`${text}Z`', newString: 'hasZone(text) ? text : `${text}Z`' })] }, 1650, 1500));
  chat.result('t8', 'The file was edited.');
  steps.push(round({ text: '', toolCalls: [call('t9', 'run_in_terminal', { command: 'npm test -- --run', explanation: 'Run them again', isBackground: false }), call('t10', 'fetch_webpage', { urls: ['https://stand-in.invalid/iso-8601'], query: 'zone' })] }, 1800, 1600));
  chat.result('t9', '12 passed').result('t10', 'A zone is Z or an offset.');
  steps.push(round({ text: 'That passes.', toolCalls: [todo('t11', ['completed', 'completed', 'completed']), call('t12', 'memory', { command: 'create', path: '/memories/repo/dates.md', file_text: 'Dates without a zone are UTC.' })] }, 2000, 1800));
  chat.result('t11', DONE).result('t12', 'File created.');
  steps.push(round({ text: '', toolCalls: [call('t13', 'mcp_github_create_issue', { title: 'Document UTC dates', body: 'See src/dates.ts.' })] }, 2150, 2000));
  chat.result('t13', '{"number": 42}');
  chat.left = 83.2;
  steps.push(round({ text: 'Dates are parsed as UTC now, the tests pass, and issue #42 asks for the docs.' }, 2250, 2150));
  return {
    about:
      'One agent turn of twelve rounds on the Anthropic Messages wire: planning with a to-do list that changes three times, memory read and written, search, edits, a failing and a passing test run, a web page, an MCP tool, and one compaction in the middle, after which the history is a summary. A title is made beside it.',
    facts: ['3.3', '6.2', '6.5 agent.turn, agent.round, compaction, title', '6.6 manage_todo_list, memory, MCP tools'],
    steps,
  };
};

/** @returns {import('./build.mjs').Session} */
export const sessionStore = () => {
  const chat = new Chat({ wire: 'chat', model: 'gpt-4.1', requestId: 101, tools: ['session_store_sql', 'read_file'] });
  chat.ask('What did I work on last week?');
  /** @param {string} id @param {string} query @param {string} description */
  const sql = (id, query, description) => call(id, 'session_store_sql', { action: 'query', query, description });
  const steps = [
    chat.step('user', { text: 'I will look at your sessions.', toolCalls: [sql('q1', 'SELECT title, created FROM sessions ORDER BY created DESC LIMIT 5', 'Latest sessions')] }),
  ];
  chat.result('q1', 'Error: no such column: title');
  steps.push(chat.step('agent', { text: 'The columns have other names.', toolCalls: [sql('q2', "SELECT name, sql FROM sqlite_master WHERE type = 'table'", 'Look at the schema')] }, { afterMs: 5 }));
  chat.result('q2', 'name | sql\nsessions | CREATE TABLE sessions (id TEXT PRIMARY KEY, cwd TEXT, repository TEXT, summary TEXT, created_at TEXT)');
  steps.push(chat.step('agent', { toolCalls: [sql('q3', 'SELECT summary, created_at FROM sessions ORDER BY created_at DESC LIMIT 5', 'Latest sessions')] }, { afterMs: 5 }));
  chat.result('q3', 'summary | created_at\nParse dates as UTC | 2026-02-26T10:00:00Z\nStale user cache | 2026-02-24T09:00:00Z');
  steps.push(chat.step('agent', { text: 'Last week you parsed dates as UTC and mended the user cache.' }, { afterMs: 5 }));
  return {
    about:
      'An agent asks the editor’s own session store: the first query names columns that do not exist and fails, the second reads the schema, the third finds the answer.',
    facts: ['7.2', '7.3 reader', '6.6 session_store_sql', '3.1'],
    steps,
  };
};

/** @returns {import('./build.mjs').Session} */
export const movedModel = () => {
  const first = new Chat({ wire: 'responses', model: 'gpt-5.4', requestId: 101, tools: TOOLS });
  first.ask('What does answer() return?');
  const steps = [modelList()];
  steps.push(first.step('user', { text: 'I will read it.', toolCalls: [call('r1', 'read_file', { filePath: '/stand-in/app/src/main.ts', startLine: 1, endLine: 9 })], usage: { input: 1300, cached: 0, output: 30 } }));
  first.result('r1', 'export const answer = () => 41;');
  steps.push(first.step('agent', { text: 'It returns 41.', usage: { input: 1400, cached: 1280, output: 9 } }, { afterMs: 5 }));
  const second = new Chat({ wire: 'messages', model: 'claude-sonnet-4.6', requestId: 102, interactionId: 201, tools: TOOLS, workspace: null });
  second.history = [...first.history];
  second.ask('Make it 42.');
  second.left = 83.2;
  steps.push(second.step('user', { thinking: 'A small edit. ', text: 'I will change it.', toolCalls: [call('m1', 'replace_string_in_file', { filePath: '/stand-in/app/src/main.ts', oldString: '41', newString: '42' })], usage: { input: 1600, cached: 0, output: 40 } }));
  second.result('m1', 'The file was edited.');
  steps.push(second.step('agent', { text: 'answer() returns 42 now.', usage: { input: 1700, cached: 1500, output: 10 } }, { afterMs: 5 }));
  return {
    about:
      'One conversation on two models: the first turn on the Responses wire, the second on the Anthropic Messages wire, where the same history is cut into messages in another way.',
    facts: ['3.0', '3.2', '3.3', '6.5 turn grouping'],
    steps,
  };
};

/** @returns {import('./build.mjs').Session} */
export const subagent = () => {
  const parent = new Chat({ wire: 'chat', model: 'gpt-4.1', requestId: 101, tools: TOOLS });
  parent.ask('Rename parseDate() everywhere.');
  const prompt = 'Find every use of parseDate() and list file and line.';
  const steps = [parent.step('user', { text: 'A helper will find them.', toolCalls: [call('s1', 'runSubagent', { prompt, description: 'Find uses' })] })];
  const child = new Chat({
    wire: 'chat',
    model: 'gpt-4o-mini',
    requestId: 111,
    tools: ['grep_search', 'read_file'],
    interactionType: 'conversation-subagent',
  });
  child.ask(prompt, '<context>\nsubagent\n</context>');
  steps.push(child.step('agent', { text: '', toolCalls: [call('g1', 'grep_search', { query: 'parseDate' })] }, { afterMs: 5 }));
  child.result('g1', 'src/dates.ts:4\nsrc/main.ts:9');
  steps.push(child.step('agent', { text: 'src/dates.ts:4 and src/main.ts:9' }, { afterMs: 5 }));
  parent.result('s1', 'src/dates.ts:4 and src/main.ts:9');
  steps.push(parent.step('agent', { text: 'It is used in two places; I renamed both.' }, { afterMs: 5 }));
  return {
    about: 'An agent starts a subagent, which works with its own request id and fewer tools, and goes on with what it found.',
    facts: ['6.5 agent.subagent', '2.2 X-Request-Id', '2.3 X-Interaction-Type', '6.6 runSubagent'],
    steps,
  };
};

/** @returns {import('./build.mjs').Session} */
export const retry = () => {
  const chat = new Chat({ wire: 'chat', model: 'gpt-4.1', requestId: 101, tools: ['read_file'] });
  chat.ask('Explain main.ts in one sentence.');
  const refusal = json({ error: { code: 'rate_limited', message: 'Too many requests (stand-in)' } }, 429, {
    'retry-after': '1',
    'x-ratelimit-exceeded': 'user-model-requests',
  });
  const ping = get(API, '/_ping', byToken, 'pong');
  return {
    about:
      'A question is refused for its rate, then fails with a server error; after each the client asks whether the service is there and sends the same request again, now as the agent. The third attempt is answered.',
    facts: ['3.6 retry pattern', '2.3 X-Initiator', '2.4'],
    steps: [
      chat.refused('user', refusal),
      { ...ping, afterMs: 10 },
      chat.refused('agent', json({ error: { code: 'server_error', message: 'Bad gateway (stand-in)' } }, 502)),
      { ...ping, afterMs: 10 },
      chat.step('agent', { text: 'It exports answer(), which returns 41.' }),
    ],
  };
};

/** @returns {import('./build.mjs').Session} */
export const websocket = () => {
  const chat = new Chat({ wire: 'responses', model: 'gpt-5.4', requestId: 101, tools: ['read_file', 'grep_search'] });
  chat.ask('How many tests are there?');
  const quota = (/** @type {number} */ left) => ({
    premium_interactions: { entitlement: '300', percent_remaining: left, overage_permitted: false, overage_count: 0 },
  });
  /** @param {Parameters<typeof responsesEvents>[0]} answer @param {string} id @param {number} left */
  const events = (answer, id, left) =>
    responsesEvents(answer).events.map((event) => {
      const named = JSON.parse(JSON.stringify(event).replaceAll('resp_standin1', id));
      return event.type === 'response.completed' ? { ...named, copilot_quota_snapshots: quota(left) } : named;
    });
  const body = JSON.parse(chat.request('user').body ?? '');
  const { stream: _, ...asked } = body;
  const grep = call('w1', 'grep_search', { query: 'test\\(', isRegexp: true });
  const usage = { input: 1400, cached: 0, output: 25 };
  const headers = chat.headers('user');
  const { 'x-initiator': _initiator, 'content-type': _type, ...upgrade } = headers;
  return {
    about:
      'One turn over a WebSocket: the second round sends only the tool result and names the response that it continues. Final events carry the quota. The socket is refused nothing and closed at the end.',
    facts: ['4', '3.2 previous_response_id', '10.4'],
    steps: [
      modelList(),
      {
        socket: {
          url: `wss://${API}/responses`,
          headers: { ...upgrade, 'x-request-id': uuid(101) },
          messages: [
            {
              send: { type: 'response.create', ...asked, initiator: 'user' },
              receive: events({ model: 'gpt-5.4', text: 'I will count them.', toolCalls: [grep], usage, finishReason: 'completed' }, 'resp_1', 83.5),
            },
            {
              afterMs: 5,
              send: {
                type: 'response.create',
                ...asked,
                input: [{ type: 'function_call_output', call_id: 'w1', output: '12 matches' }],
                previous_response_id: 'resp_1',
                initiator: 'agent',
              },
              receive: events({ model: 'gpt-5.4', text: 'There are 12.', toolCalls: [], usage: { input: 1460, cached: 1280, output: 6 }, finishReason: 'completed' }, 'resp_2', 83.2),
            },
          ],
        },
      },
    ],
  };
};
