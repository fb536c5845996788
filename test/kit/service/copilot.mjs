// The Copilot-like endpoints of the STAND-IN service: paths and shapes of the real one, invented content. Every answer says
// in the truth log which class and which decoded text, tools and usage a tracer must report.
import * as accounts from './accounts.mjs';
import { chatCompletions, completions, messages, responses } from './answers.mjs';
import { cutRandomly } from './bytes.mjs';

/** @typedef {import('./routes.mjs').Visit} Visit */
/** @typedef {import('./answers.mjs').Answer} Answer */

const FINAL_TEXT = 'Done: the function now returns 42 — überprüft, 漢字 and 🙂 included. '.repeat(12);
const QUOTA_HEADER = 'ent=300&rem=83.5&ov=0&ovPerm=false&rst=2026-12-01T00%3A00%3A00Z';

/** An answer that is always the same. @param {string} name @param {unknown} value @returns {(visit: Visit) => Promise<void>} */
const fixed =
  (name, value) =>
  async ({ reply }) => {
    reply.expect = { class: name };
    await reply.json(200, value, { 'x-github-request-id': 'FADE:0001:STANDIN' });
  };

/** @param {Visit} visit @param {string} name @param {{ events: string[], expect: object }} answer */
const stream = async ({ reply, query }, name, { events, expect }) => {
  const coding = query.get('coding') ?? '';
  reply.expect = { class: name, llm: expect };
  const headers = {
    'content-type': 'text/event-stream',
    'x-request-id': '00000000-0000-4000-8000-00000000feed',
    'x-quota-snapshot-premium_models': QUOTA_HEADER,
  };
  reply.head(200, coding ? { ...headers, 'content-encoding': coding } : headers);
  const bytes = Buffer.from(events.join(''));
  for (const piece of cutRandomly(bytes, bytes.length, 400)) await reply.write(piece);
  await reply.end();
};

const READ_FILE = {
  id: 'call_standin_1',
  name: 'read_file',
  argumentsText: '{"filePath":"/stand-in/src/main.ts","startLine":1,"endLine":40}',
};

/** First round of a turn with tools asks for a file; with the file's content (`hasResult`) the text comes. @param {string} model @param {boolean} asksTool @param {{ tool: string, end: string }} reasons @returns {Answer} */
export const scripted = (model, asksTool, reasons) => ({
  model,
  text: asksTool ? 'I will read the file first. ' : FINAL_TEXT,
  toolCalls: asksTool ? [READ_FILE] : [],
  usage: asksTool ? { input: 1200, cached: 1024, output: 31 } : { input: 1500, cached: 1152, output: 210 },
  finishReason: asksTool ? reasons.tool : reasons.end,
});

/** @param {Visit} visit */
const chat = async (visit) => {
  const body = JSON.parse(visit.body.toString());
  if (/^(copilot-nes|nes-|xtab-)/.test(body.model)) return nextEdit(visit, body.model);
  const asksTool = Boolean(body.tools?.length) && body.messages.at(-1).role !== 'tool';
  return stream(
    visit,
    'chat.completions',
    chatCompletions(scripted(body.model, asksTool, { tool: 'tool_calls', end: 'stop' })),
  );
};

/** @param {Visit} visit @param {string} model */
const nextEdit = (visit, model) =>
  stream(
    visit,
    'nes',
    chatCompletions(
      {
        model,
        text: '<EDIT>\n```ts\nreturn 42;\n```\n</EDIT>',
        toolCalls: [],
        usage: { input: 700, cached: 0, output: 18 },
        finishReason: 'stop',
      },
      'nes',
    ),
  );

/** @param {Visit} visit */
const respond = async (visit) => {
  const body = JSON.parse(visit.body.toString());
  const asksTool = Boolean(body.tools?.length) && body.input.at(-1).type !== 'function_call_output';
  return stream(
    visit,
    'chat.responses',
    responses(scripted(body.model, asksTool, { tool: 'completed', end: 'completed' })),
  );
};

/** @param {Visit} visit */
const message = async (visit) => {
  const body = JSON.parse(visit.body.toString());
  const isResult = body.messages.at(-1).content.at(-1).type === 'tool_result';
  const answer = scripted(body.model, Boolean(body.tools?.length) && !isResult, { tool: 'tool_use', end: 'end_turn' });
  return stream(
    visit,
    'chat.messages',
    messages({ ...answer, thinking: 'The user wants the value 42 — let me look. ' }),
  );
};

/** @param {Visit} visit */
const ghost = (visit) =>
  stream(
    visit,
    'completions.inline',
    completions({
      model: visit.match[1] ?? '',
      text: '  return answer * 2; // café\n}',
      toolCalls: [],
      usage: { input: 420, cached: 0, output: 12 },
      finishReason: 'stop',
    }),
  );

/** @param {Visit} visit */
const embed = async ({ reply, body }) => {
  const inputs = JSON.parse(body.toString()).input;
  reply.expect = { class: 'embeddings.capi' };
  const data = inputs.map((/** @type {string} */ _text, /** @type {number} */ index) => ({
    index,
    embedding: Array.from({ length: 16 }, (_, i) => (i - 8) / 16),
  }));
  await reply.json(200, { data, model: 'text-embedding-3-small', usage: { prompt_tokens: 9, total_tokens: 9 } });
};

/** @param {Visit} visit */
const telemetry = async ({ reply, body }) => {
  reply.expect = { class: 'telemetry.copilot' };
  const items = body.toString().split('\n').filter(Boolean).length;
  await reply.json(200, { itemsReceived: items, itemsAccepted: items, errors: [] });
};

/** @type {readonly import('./routes.mjs').Route[]} */
export const COPILOT_ROUTES = [
  { method: 'GET', path: /^\/copilot_internal\/v2\/token$/, answer: fixed('auth.token', accounts.token) },
  { method: 'GET', path: /^\/copilot_internal\/user$/, answer: fixed('auth.user', accounts.user) },
  {
    method: 'GET',
    path: /^\/copilot_internal\/content_exclusion$/,
    answer: fixed('content_exclusion', accounts.contentExclusion),
  },
  { method: 'GET', path: /^\/copilot\/mcp_registry$/, answer: fixed('mcp.registry', accounts.mcpRegistry) },
  { method: 'GET', path: /^\/models$/, answer: fixed('models.list', accounts.models) },
  { method: 'GET', path: /^\/agents\/swe\/models$/, answer: fixed('models.agents_swe', accounts.sweModels) },
  { method: 'POST', path: /^\/models\/session$/, answer: fixed('models.session', accounts.session) },
  { method: 'POST', path: /^\/models\/session\/intent$/, answer: fixed('router.intent', accounts.intent) },
  { method: 'POST', path: /^\/chat\/completions$/, answer: chat },
  { method: 'POST', path: /^\/responses$/, answer: respond },
  { method: 'POST', path: /^\/v1\/messages$/, answer: message },
  { method: 'POST', path: /^\/v1\/engines\/([^/]+)\/completions$/, answer: ghost },
  { method: 'POST', path: /^\/embeddings$/, answer: embed },
  { method: 'POST', path: /^\/telemetry$/, answer: telemetry },
];
