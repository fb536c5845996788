// A big recording of agent traffic, made without a capture: conversations whose prompts grow with every round, as they do,
// with files, tool results and answers of invented words. Deterministic: the same size gives the same bytes.
import { closeSync, openSync, writeSync } from 'node:fs';
import { at } from './place.mjs';

const { createRecordingWriter, encodeRecord, MAX_CHUNK_BYTES } = await import(process.env.TRACER_JS ? `${process.env.TRACER_JS}/record/index.js` : at('build/js/record/index.js'));

const WALL_NS = 1_772_373_909_000_000_000n;
const ROUNDS = 24;
const TOOL_BYTES = 12_000;
const SYSTEM_BYTES = 24_000;

const VOCABULARY =
  'const return function await async import export from interface readonly string number boolean undefined null true false if else for of while switch case throw new class extends this value result error message request response connection session user path file line offset length count index map filter reduce push slice join split trim buffer bytes decode encode parse stringify test expect equal describe the a an of to and in that is was for on are with as be at have it not by or when which each every first last next before after between until since while without within model token prompt answer call tool history memory context window cache price cost total sum average limit bound rate time clock second minute hour day week month year'.split(
    ' ',
  );

/** Words by a small congruential generator (Numerical Recipes' constants). @param {number} seed @param {number} length */
function words(seed, length) {
  let state = seed >>> 0;
  let text = '';
  while (text.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += `${VOCABULARY[(state >>> 8) % VOCABULARY.length]}${(state >>> 20) % 11 === 0 ? `(${state >>> 16});\n` : ' '}`;
  }
  return text;
}

/** @param {number} conversation @param {number} round */
const requestOf = (conversation, round) => {
  const path = `/w/src/file${conversation}_${round}.ts`;
  const messages = [
    { role: 'system', content: words(1, SYSTEM_BYTES) },
    { role: 'user', content: `<userRequest>\n${words(conversation, 200)}\n</userRequest>` },
  ];
  for (let at = 0; at < round; at += 1) {
    const id = `call_${conversation}_${at}`;
    const args = JSON.stringify({ filePath: `/w/src/file${conversation}_${at}.ts`, startLine: 1, endLine: 200 });
    messages.push({ role: 'assistant', content: words(at, 300), tool_calls: [{ id, type: 'function', function: { name: 'read_file', arguments: args } }] });
    messages.push({ role: 'tool', tool_call_id: id, content: words(conversation * 100 + at, TOOL_BYTES) });
  }
  const tools = Array.from({ length: 40 }, (_, n) => ({ type: 'function', function: { name: `tool_${n}`, description: words(n, 400), parameters: { type: 'object' } } }));
  return { body: JSON.stringify({ model: 'gpt-4.1', stream: true, messages, tools }), path };
};

/** @param {number} conversation @param {number} round @param {string} path */
const answerOf = (conversation, round, path) => {
  const chunk = (/** @type {object} */ delta) => `data: ${JSON.stringify({ id: `r${conversation}.${round}`, model: 'gpt-4.1', choices: [{ index: 0, delta }] })}\n\n`;
  const args = JSON.stringify({ filePath: path, startLine: 1, endLine: 200 });
  const usage = { prompt_tokens: 9000 + round * 4000, completion_tokens: 90, prompt_tokens_details: { cached_tokens: round * 4000 } };
  return [
    ...words(round, 300).split(' ').map((content) => chunk({ content: `${content} ` })),
    chunk({ tool_calls: [{ index: 0, id: `call_${conversation}_${round}`, function: { name: 'read_file', arguments: args } }] }),
    `data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`,
  ].join('');
};

/** Writes a recording of at least `bytes`; returns the number of calls. @param {string} file @param {number} bytes */
export function makeBigRecording(file, bytes) {
  const fd = openSync(file, 'w', 0o600);
  const writer = createRecordingWriter();
  let written = 0;
  let tsNs = 1000n;
  const put = (/** @type {Uint8Array} */ frame) => {
    written += writeSync(fd, frame);
  };
  const flush = () => {
    const block = writer.takeBlock();
    if (block !== null) put(writer.frame(block, null));
  };
  const session = (/** @type {string} */ phase) => writer.addUser({ kind: 'session', tsNs, phase, wallNs: WALL_NS + tsNs, host: 'bench', toolVersion: '0', reason: '' });
  put(writer.header({ monoNs: 0n, wallNs: WALL_NS, bootId: 'bench', host: 'bench', toolVersion: '0' }));
  session('start');
  const key = { pid: 7, startNs: 5n, ssl: 0xa0n, generation: 0 };
  const offset = { out: 0, in: 0 };
  const send = (/** @type {'out' | 'in'} */ dir, /** @type {string} */ text) => {
    const data = Buffer.from(text);
    for (let from = 0; from < data.length; from += MAX_CHUNK_BYTES) {
      const chunk = data.subarray(from, from + MAX_CHUNK_BYTES);
      tsNs += 100_000n;
      writer.addKernel(encodeRecord({ kind: 'data', ...key, tsNs, tid: 1, hook: 1, dir, offset: offset[dir], callBytes: chunk.length, callEnd: true, bytes: chunk }));
      offset[dir] += chunk.length;
      if (writer.isFull()) flush();
    }
  };
  let calls = 0;
  for (let conversation = 1; written < bytes; conversation += 1) {
    for (let round = 0; round < ROUNDS && written < bytes; round += 1, calls += 1) {
      const { body, path } = requestOf(conversation, round);
      const head = [`POST /chat/completions HTTP/1.1`, 'Host: api.githubcopilot.com', 'Content-Type: application/json', 'OpenAI-Intent: conversation-agent', `X-Initiator: ${round === 0 ? 'user' : 'agent'}`, `X-Request-Id: turn-${conversation}`, `Content-Length: ${Buffer.byteLength(body)}`, '', ''];
      send('out', head.join('\r\n') + body);
      tsNs += 800_000_000n;
      const answer = answerOf(conversation, round, path);
      send('in', `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: ${Buffer.byteLength(answer)}\r\n\r\n${answer}`);
      tsNs += 200_000_000n;
    }
  }
  writer.addKernel(encodeRecord({ kind: 'close', ...key, tsNs, outBytes: offset.out, inBytes: offset.in }));
  session('end');
  flush();
  put(writer.finish(false));
  closeSync(fd);
  return calls;
}
