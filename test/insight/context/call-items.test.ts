import fc from 'fast-check';
import { expect, test } from 'vitest';
import { itemsOfCall } from '../../../src/insight/context/call-items.ts';
import type { ContextItem } from '../../../src/insight/context/item.ts';
import type { CallCompleted, LlmRequest, Message } from '../../../src/model/index.ts';
import { HANG_MS } from '../../kit/hang.ts';
import { made, system, user } from '../calls.ts';

const request = (fields: Partial<LlmRequest>): CallCompleted => {
  const call = made({ messages: [], startMs: 0, endMs: 1 });
  if (call.llm?.request === undefined) throw new Error('made without a request');
  return { ...call, llm: { ...call.llm, request: { ...call.llm.request, ...fields } } };
};

const items = (call: CallCompleted): ContextItem[] => itemsOfCall(call, () => undefined);
const short = (list: readonly ContextItem[]) =>
  list.map(({ kind, path, lines, text }) => [kind, path ?? '', lines ? `${lines.from}-${lines.to}` : '', text]);
const ofMessages = (...messages: Message[]) => short(items(request({ messages })));

const EDITS = [
  'These are recently edited files. Do not suggest code that has been deleted.',
  'File: .env',
  '--- a/file:///home/u/app/.env',
  '+++ b/file:///home/u/app/.env',
  '@@ -3,2 +3,4 @@',
  '+A=1',
  '-B=2 --- IGNORE ---',
  'File: src/a.ts',
  '--- a/file:///home/u/app/src/a.ts',
  '+++ b/file:///home/u/app/src/a.ts',
  '@@ -20 +20 @@',
  '+x',
  'End of recent edits',
].join('\n');

test('ghost text: the file under the cursor, what was pulled in beside it, and why', () => {
  const call = request({
    dialect: 'openai-completions',
    prompt: 'a\nb',
    suffix: 'c',
    parameters: {
      nwo: 'o/n',
      extra: {
        language: 'go',
        context: ['// Path: main.go\n// Compare this snippet from util.go:\n// func u() {}', EDITS],
      },
    },
  });
  expect(short(items(call)).map(([kind, path, lines]) => [kind, path, lines])).toEqual([
    ['file-prefix', 'main.go', ''],
    ['file-suffix', 'main.go', ''],
    ['similar-file', 'util.go', ''],
    ['recent-edit', '.env', '3-6'],
    ['recent-edit', 'src/a.ts', '20-20'],
    ['repository', 'o/n', ''],
  ]);
  expect(items(call)[0]).toMatchObject({ language: 'go', implicit: true });
  expect(items(call)[3]).toMatchObject({ detail: 'full path in the diff: file:///home/u/app/.env' });
  expect(items(call)[4]?.text).not.toContain('End of recent');
});

test('ghost text: several snippets of one file, and what a language service gave, are similar files too', () => {
  const context = [
    'Path: main.go\nCompare these snippets from util.go:\nfunc u() {}\n---\nfunc v() {}\nCompare this enum member from kind.go:\nconst k = 1\nCompare this snippet:\nx',
  ];
  const call = request({ dialect: 'openai-completions', prompt: 'a', parameters: { extra: { context } } });
  expect(items(call).map(({ kind, path, text }) => [kind, path, text])).toEqual([
    ['file-prefix', 'main.go', 'a'],
    ['similar-file', 'util.go', 'func u() {}\n---\nfunc v() {}'],
    ['similar-file', 'kind.go', 'const k = 1'],
    ['similar-file', undefined, 'x'],
  ]);
});

test('ghost text without a path names the language only', () => {
  const call = request({
    dialect: 'openai-completions',
    prompt: 'x',
    parameters: { extra: { context: ['Language: python', ''] } },
  });
  expect(items(call)).toMatchObject([{ kind: 'file-prefix', language: 'python' }]);
  expect(items(call)[0]).not.toHaveProperty('path');
});

test('next edit suggestions: current file, edit window, viewed snippets, history with absolute paths', () => {
  const prompt = [
    '<|recently_viewed_code_snippets|>\n<|recently_viewed_code_snippet|>\ncode_snippet_file_path: s.ts (truncated)\nx\n<|/recently_viewed_code_snippet|>\n<|/recently_viewed_code_snippets|>',
    '<|current_file_content|>\ncurrent_file_path: m.ts\ny\n<|/current_file_content|>',
    '<|edit_diff_history|>\n--- /h/a.ts\n+++ /h/a.ts\n@@ -1 +5 @@\n+z\n--- /h/b.ts\n+++ /h/b.ts\n@@ -1 +6 @@\n+w\n<|/edit_diff_history|>',
    '<|code_to_edit|>\ny<|cursor|>\n<|/code_to_edit|>',
  ].join('\n');
  const call = request({
    dialect: 'nes',
    messages: [user(prompt)],
    parameters: { prediction: { type: 'content', content: 'y' } },
  });
  expect(short(items(call)).map(([kind, path, lines]) => [kind, path, lines])).toEqual([
    ['open-editor', 's.ts', ''],
    ['current-file', 'm.ts', ''],
    ['recent-edit', '/h/a.ts', '5-5'],
    ['recent-edit', '/h/b.ts', '6-6'],
    ['edit-window', 'm.ts', ''],
    ['edit-window', '', ''],
  ]);
});

test('a user message is taken apart at its outermost sections; the last request is the real one', () => {
  const text =
    '<attachments>\n<attachment id="a.md">\nx\n</attachment>\n</attachments>\n<userRequest>\nfake\n</userRequest>\n<reminder>\nr\n</reminder>\n<userRequest>\nreal\n</userRequest>\nbetween';
  expect(ofMessages(user(text))).toEqual([
    ['attachment', 'a.md', '', 'x'],
    ['other', '', '', 'fake'],
    ['prompt-text', '', '', 'r'],
    ['user-text', '', '', 'real'],
    ['prompt-text', '', '', 'between'],
  ]);
});

test('an attachment without a body, or a document by reference, names a file and carries nothing of it', () => {
  const text =
    '<attachments>\n<attachment id="big.ts" filePath="/w/big.ts" isSummarized="true" />\n<attachment folderPath="/w/src"/>\n<attachment id="shot.png"/>\n<attachment id="vscode.prompt.file"/>\n</attachments>';
  expect(items(request({ messages: [user(text)] }))).toMatchObject([
    { kind: 'withheld-reference', path: '/w/big.ts', detail: 'summarised', text: '/w/big.ts' },
    { kind: 'withheld-reference', path: '/w/src', detail: 'folder' },
    { kind: 'withheld-reference', path: 'shot.png', detail: 'attachment' },
  ]);
  const byId: Message = { role: 'user', parts: [{ kind: 'document', mediaType: '', name: 'file-7' }] };
  expect(ofMessages(byId)).toEqual([['document', 'file-7', '', 'file-7']]);
});

test('a document in a result of a tool is listed as one in a message is', () => {
  const document = { kind: 'document', mediaType: 'application/pdf', name: 'spec.pdf', bytes: 30 } as const;
  const message: Message = { role: 'tool', parts: [{ kind: 'tool-result', callId: 't', parts: [document] }] };
  expect(items(request({ messages: [message] }))).toMatchObject([
    { kind: 'document', path: 'spec.pdf', detail: 'application/pdf', bytes: 30 },
  ]);
});

test('a message without sections is what the user typed', () => {
  expect(ofMessages(user('hello'))).toEqual([['user-text', '', '', 'hello']]);
});

test('instruction files stand in the instructions of the system message', () => {
  const text =
    'You are.\n<instructions>\nBe brief.\n<attachment filePath="/w/AGENTS.md">\nTabs.\n</attachment>\n</instructions>';
  expect(ofMessages(system(text))).toEqual([
    ['instruction-file', '/w/AGENTS.md', '', 'Tabs.'],
    ['system-prompt', '', '', 'Be brief.'],
    ['system-prompt', '', '', 'You are.'],
  ]);
});

const calls = (name: string, argumentsText: string, id = 't1'): Message => ({
  role: 'assistant',
  parts: [{ kind: 'tool-call', id, name, argumentsText }],
});
const results = (text: string, callId = 't1'): Message => ({
  role: 'tool',
  parts: [{ kind: 'tool-result', callId, parts: [{ kind: 'text', text }] }],
});

test.each([
  ['read_file', '{"filePath":"/w/a.ts","startLine":3,"endLine":9}', 'file-read', '/w/a.ts', '3-9'],
  ['read_file', '{"filePath":"/w/a.ts","offset":10,"limit":5}', 'file-read', '/w/a.ts', '10-14'],
  ['view', '{"path":"a.ts","view_range":[1,20]}', 'file-read', 'a.ts', '1-20'],
  ['Read', '{"file_path":"/w/a.ts"}', 'file-read', '/w/a.ts', ''],
  ['run_in_terminal', '{"command":"ls"}', 'terminal', '', ''],
  ['memory', '{"command":"view","path":"/memories/repo/a.md"}', 'memory', '/memories/repo/a.md', ''],
  ['session_store_sql', '{"action":"query"}', 'session-store', '', ''],
  ['fetch_webpage', '{"urls":["https://example.com/"]}', 'web-page', 'https://example.com/', ''],
  ['mcp_db_query', '{"sql":"select 1"}', 'tool-result', '', ''],
])('the result of %s %s is a %s', (name, argumentsText, kind, path, lines) => {
  expect(ofMessages(calls(name, argumentsText), results('content'))[1]).toEqual([kind, path, lines, 'content']);
});

test('a patch that is sent back names every file in it', () => {
  const patch = JSON.stringify({
    input: '*** Begin Patch\n*** Update File: a.ts\n+1\n*** Add File: b.ts\n+2\n*** End Patch',
  });
  expect(ofMessages(calls('apply_patch', patch)).map(([kind, path]) => [kind, path])).toEqual([
    ['tool-call', 'a.ts'],
    ['tool-call', 'b.ts'],
  ]);
});

test('a result whose call was in an earlier request is named by the answer that called it', () => {
  const call = request({ messages: [results('content')] });
  const found = itemsOfCall(call, () => ({ name: 'read_file', argumentsText: '{"filePath":"/w/z.ts"}' }));
  expect(found).toMatchObject([{ kind: 'file-read', path: '/w/z.ts' }]);
});

const references = (type: string, data: unknown, more: object = {}): Message => ({
  role: 'user',
  parts: [{ kind: 'reference', type, data, ...more }],
});

test('references of every type, withheld ones told apart', () => {
  expect(
    items(
      request({
        messages: [
          references('client.file', { language: 'dotenv', content: 'hidden-file' }, { id: '.env', implicit: true }),
        ],
      }),
    ),
  ).toEqual([
    {
      kind: 'withheld-reference',
      text: 'hidden-file',
      detail: 'client.file (hidden file)',
      path: '.env',
      language: 'dotenv',
      implicit: true,
    },
  ]);
  const kinds = ofMessages(
    references(
      'client.selection',
      { start: { line: 0, col: 0 }, end: { line: 1, col: 2 }, content: 's' },
      { id: 'a.ts' },
    ),
    references('github.repository', { name: 'n', ownerLogin: 'o' }),
    references('github.current-url', { url: 'https://github.com/o/n' }),
    references('github.redacted', { type: 'client.file' }),
    references('github.new-thing', 'text'),
  );
  expect(kinds.map(([kind, path, lines]) => [kind, path, lines])).toEqual([
    ['reference', 'a.ts', '1-2'],
    ['reference', 'o/n', ''],
    ['reference', 'https://github.com/o/n', ''],
    ['withheld-reference', '', ''],
    ['reference', '', ''],
  ]);
});

test('images and documents count with the bytes that they stand for', () => {
  const message: Message = {
    role: 'user',
    parts: [
      { kind: 'image', mediaType: 'image/png', bytes: 70_000 },
      { kind: 'document', mediaType: 'application/pdf', name: 'a.pdf', bytes: 9 },
    ],
  };
  expect(items(request({ messages: [message] }))).toMatchObject([
    { kind: 'image', bytes: 70_000 },
    { kind: 'document', bytes: 9, path: 'a.pdf' },
  ]);
});

test('what a helper asks is the client’s text, not a person’s', () => {
  const call = { ...request({ messages: [user('Write a title for: hello')] }), kind: 'title' };
  expect(short(items(call))).toEqual([['prompt-text', '', '', 'Write a title for: hello']]);
  expect(short(items({ ...call, kind: 'agent.subagent' }))[0]?.[0]).toBe('prompt-text');
  expect(short(items({ ...call, kind: 'ask.turn' }))[0]?.[0]).toBe('user-text');
});

const PIECES = [
  '<attachment id="',
  '">',
  '</attachment>',
  '<context>',
  '</context>',
  '<userRequest>',
  'Terminals:',
  'Path: ',
  'File: ',
  'Compare this snippet from ',
  ':',
  '@@ -1 +2 @@',
  '<|code_to_edit|>',
  '<|/code_to_edit|>',
  'current_file_path:',
  '--- a/file:///x',
  '+++ b',
  '```',
  '\n',
  '  ',
  'x',
];
const promptText = fc.array(fc.constantFrom(...PIECES), { maxLength: 200 }).map((pieces) => pieces.join(''));

test('any prompt, arguments and references give items, and no text is lost from a message without sections', () => {
  fc.assert(
    fc.property(promptText, fc.string(), fc.jsonValue(), (text, argumentsText, data) => {
      items(
        request({
          messages: [
            system(text),
            user(text),
            calls('read_file', argumentsText),
            results(text),
            references('client.file', data),
          ],
        }),
      );
      items(request({ dialect: 'nes', messages: [user(text)] }));
      items(
        request({
          dialect: 'openai-completions',
          prompt: text,
          suffix: text,
          parameters: { extra: { context: [text, data] } },
        }),
      );
    }),
  );
});

test('a megabyte of blanks in the place of a path costs no time', () => {
  const blanks = ' '.repeat(1_000_000);
  const begin = performance.now();
  const hostile = [
    `Path: x${blanks}y`,
    `${blanks}Path:`,
    `current_file_path:x${blanks}y`,
    `<context>\nTerminals:${blanks}x\n</context>`,
    `File: ${blanks}`,
  ];
  for (const text of hostile) {
    items(
      request({
        messages: [user(text), user(`<|current_file_content|>\n${text}\n<|/current_file_content|>`)],
        dialect: 'nes',
      }),
    );
    items(request({ messages: [user(text), results(text)] }));
    items(
      request({
        dialect: 'openai-completions',
        prompt: text,
        parameters: { extra: { context: [text, `These are recently edited\n${text}`] } },
      }),
    );
  }
  expect(performance.now() - begin).toBeLessThan(HANG_MS);
});

test('open terminals are an item of their own', () => {
  const text = '<context>\nThe date.\nTerminals:\nTerminal: bash\nLast Command: npm test\n\nMore.\n</context>';
  expect(ofMessages(user(text))).toEqual([
    ['terminal', '', '', 'Terminals:\nTerminal: bash\nLast Command: npm test'],
    ['environment', '', '', 'The date.\n\n\nMore.'],
  ]);
});
