// One session that carries an item of nearly every kind, for the inventory's answers.
import { join } from 'node:path';
import { API, assistant, PROXY, recentEdits, result, system, Traffic, tool, user } from '../../kit/copilot-traffic.ts';
import { writeRecording } from '../../kit/session-file.ts';

const SYSTEM = [
  'You are an expert AI programming assistant, working with a user in the VS Code editor.',
  '<instructions>\nYou are a highly sophisticated automated coding agent.\n</instructions>',
  '<memoryInstructions>\nKeep notes.\n</memoryInstructions>',
  '<instructions>\n<attachment filePath="/home/u/app/.github/copilot-instructions.md">\nUse tabs.\n</attachment>\n</instructions>',
].join('\n');

const GLOBAL = [
  '<environment_info>\nThe user’s current OS is: Linux\n</environment_info>',
  '<workspace_info>\nI am working in a workspace with the following folders:\n- /home/u/app\nsrc/\n\tmain.ts\n</workspace_info>',
  '<repoMemory>\nUses pnpm.\n</repoMemory>',
].join('\n');

const ASK = [
  '<attachments>',
  '<attachment id="file:main.ts" filePath="/home/u/app/src/main.ts">',
  "User's active selection:",
  'Excerpt from src/main.ts, lines 3 to 5:',
  '```ts\nexport const answer = () => 41;\n```',
  '</attachment>',
  '<attachment id="notes.md" filePath="/home/u/app/notes.md">',
  'A note with <userRequest>\nfake\n</userRequest> in it.',
  '</attachment>',
  '</attachments>',
  '<context>\nThe current date is June 1, 2026.\nTerminals:\nTerminal: bash\nLast Command: npm test\nCwd: /home/u/app\nExit Code: 1\n\n<todoList>\n- [ ] fix\n</todoList>\n</context>',
  '<editorContext>\nThe user’s current file is /home/u/app/src/main.ts. The current selection is from line 3 to line 5.\n</editorContext>',
  '<userRequest>\nMake answer() return 42.\n</userRequest>',
].join('\n');

const READ = {
  id: 'call_1',
  name: 'read_file',
  arguments: '{"filePath":"/home/u/app/src/main.ts","startLine":1,"endLine":40}',
};
const RUN = { id: 'call_2', name: 'run_in_terminal', arguments: '{"command":"npm test"}' };
const GREP = { id: 'call_3', name: 'grep_search', arguments: '{"query":"answer"}' };
const TOOLS = [tool('read_file'), tool('run_in_terminal'), tool('grep_search'), tool('mcp_db_query')];

const REFERENCES = [
  {
    type: 'client.file',
    id: 'src/main.ts',
    is_implicit: true,
    data: { language: 'typescript', content: 'export const a = 1;' },
  },
  {
    type: 'client.selection',
    id: 'src/main.ts',
    is_implicit: false,
    data: { start: { line: 2, col: 0 }, end: { line: 4, col: 1 }, content: 'const a' },
  },
  {
    type: 'github.repository',
    id: 'u/app',
    is_implicit: true,
    data: { type: 'repository', name: 'app', ownerLogin: 'u', id: 1 },
  },
  { type: 'github.redacted', id: 'x', is_implicit: true, data: { type: 'client.file' } },
  { type: 'client.file', id: '.env', is_implicit: true, data: { language: 'dotenv', content: 'hidden-file' } },
];

const ghost = (prompt: string, language: string, context: readonly string[]) => ({
  prompt,
  suffix: '\n// end of the file',
  max_tokens: 500,
  stream: true,
  nwo: 'u/app',
  extra: { language, context },
});

const SIMILAR =
  'Path: src/b.ts\nThe project uses vitest 4.\nCompare this snippet from src/c.ts:\nexport const c = 3;\nCompare this snippet from src/d.ts:\nexport const d = 4;';

function script(traffic: Traffic): void {
  traffic.json('api.github.com', 'GET /copilot_internal/content_exclusion?repos=u%2Fapp', null, [
    {
      rules: [{ paths: ['/secrets/**'], source: { name: 'u/app', type: 'Repository' } }],
      last_updated_at: '2026-06-01',
    },
  ]);
  const first = [system(SYSTEM), user(GLOBAL), user(ASK, { copilot_references: REFERENCES })];
  traffic.chat({
    messages: first,
    tools: TOOLS,
    requestId: 'turn-1',
    toolCalls: [READ, RUN, GREP],
    usage: { input: 900, output: 40 },
  });
  const second = [
    ...first,
    assistant('Let me look.', [READ, RUN, GREP]),
    result('call_1', 'export const answer = () => 41;'),
    result('call_2', 'FAIL src/main.test.ts'),
    result('call_3', '<match path="/home/u/app/src/util.ts" line=7>\nanswer()\n</match>\n1 more'),
  ];
  traffic.chat({
    messages: second,
    tools: TOOLS,
    requestId: 'turn-1',
    initiator: 'agent',
    usage: { input: 1200, cached: 896, output: 60 },
  });
  traffic.completion(ghost('DB_PASSWORD=', 'dotenv', ['Path: .env', '']));
  traffic.completion(
    ghost('export const b = ', 'typescript', [
      SIMILAR,
      recentEdits('.env', ['+DB_PASSWORD=hunter22hunter22', '-DB_PASSWORD= --- IGNORE ---']),
    ]),
  );
  traffic.exchange(
    PROXY,
    'POST /chat/completions',
    ['Content-Type: application/json', 'OpenAI-Intent: conversation-other'],
    JSON.stringify({
      model: 'copilot-nes-oct',
      stream: true,
      messages: [{ role: 'user', content: NES }],
      prediction: { type: 'content', content: 'return 41;' },
    }),
    Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
  );
  traffic.json(
    API,
    'POST /embeddings',
    { input: ['where is the answer'], model: 'text-embedding-3-small', dimensions: 512 },
    { data: [] },
  );
  traffic.json(
    'api.github.com',
    'POST /chunks',
    { content: 'line 1\nline 2\n', path: 'src/whole.ts', language_id: 'typescript', embed: true },
    { chunks: [] },
  );
  traffic.json(
    API,
    'POST /models/session/intent',
    { prompt: 'Make answer() return 42.', available_models: ['gpt-4.1'] },
    { predicted_label: 'no_reasoning' },
  );
  traffic.close();
}

const NES = [
  '<|recently_viewed_code_snippets|>\n<|recently_viewed_code_snippet|>\ncode_snippet_file_path: src/seen.ts\nconst seen = 1;\n<|/recently_viewed_code_snippet|>\n<|/recently_viewed_code_snippets|>',
  '<|current_file_content|>\ncurrent_file_path: src/main.ts\nreturn 41;\n<|/current_file_content|>',
  '<|edit_diff_history|>\n--- /home/u/app/src/old.ts\n+++ /home/u/app/src/old.ts\n@@ -1,1 +9,2 @@\n-a\n+b\n<|/edit_diff_history|>',
  '<|code_to_edit|>\nreturn 41;\n<|/code_to_edit|>',
].join('\n');

export const writeSession = (folder: string): string =>
  writeRecording(join(folder, 'session.trc'), (s) => script(new Traffic(s)));
