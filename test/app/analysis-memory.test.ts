// The promise is a bound whatever the size of a recording; test/bench/analysis-memory.mjs measures it on a gigabyte. Here the
// same commands read a small and a larger recording, and what they keep alive may grow by far less than the recording does:
// a prompt that is kept, or a slice that keeps its prompt, shows at once. Collected first, so that no garbage is measured.
import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { cache, context, conversations, models, readPriceFile, report, show } from '../../src/app/index.ts';
import { assistant, result, system, Traffic, tool, user } from '../kit/copilot-traffic.ts';
import { writeRecording } from '../kit/session-file.ts';

const MB = 1_000_000;
const TOOLS = Array.from({ length: 20 }, (_, n) => tool(`tool_${n}`, `does ${n} `.repeat(40)));
const SYSTEM = system('You are an assistant that writes code. '.repeat(200));

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

/** Text that no other place has. */
const text = (seed: string, chars: number): string =>
  Array.from({ length: chars / 20 }, (_, n) => `${seed}:${n} const a = b;`)
    .join('\n')
    .slice(0, chars);

/** Conversations of eight rounds, whose prompts grow as those of agents do. */
function recording(name: string, conversationCount: number): string {
  const path = join(mkdtempSync(join(tmpdir(), 'tracer-memory-')), name);
  return writeRecording(path, (script) => {
    const traffic = new Traffic(script);
    for (let conversation = 1; conversation <= conversationCount; conversation += 1) {
      const messages = [SYSTEM, user(`<userRequest>\nquestion ${conversation}\n</userRequest>`)];
      for (let round = 0; round < 8; round += 1) {
        const filePath = `/w/src/f${conversation}_${round}.ts`;
        const call = { id: `t${conversation}.${round}`, name: 'read_file', arguments: JSON.stringify({ filePath }) };
        traffic.chat({
          messages: [...messages],
          tools: TOOLS,
          requestId: `turn-${conversation}`,
          toolCalls: [call],
          usage: { input: 9000 },
        });
        messages.push(assistant('Reading.', [call]), result(call.id, text(filePath, 6_000)));
      }
    }
    traffic.close();
  });
}

const small = recording('small.trc', 6);
const large = recording('large.trc', 36);
const grownMb = (statSync(large).size - statSync(small).size) / MB;

const plain = { columns: null, color: false };
const prices = readPriceFile(undefined);
const log = { debug() {}, info() {}, warn() {}, error() {} };

type Settings = Parameters<typeof models>[1];
interface Said {
  readonly text: Iterable<string>;
}

const COMMANDS: Readonly<Record<string, (file: string, settings: Settings) => Promise<Said>>> = {
  conversations: (file, settings) => conversations(file, settings, plain),
  models: (file, settings) => models(file, settings, plain),
  context: (file, settings) => context(file, { ...settings, by: 'file' }),
  cache: (file, settings) => cache(file, { ...settings, prices }),
  report: (file, settings) => report(file, { ...settings, prices, format: 'html' }),
};

/** The most that was alive while `file` was read, in MB above what was alive before. */
async function mostAliveMb(ask: (file: string, settings: Settings) => Promise<Said>, file: string): Promise<number> {
  gc();
  const before = process.memoryUsage().heapUsed;
  let most = 0;
  let batches = 0;
  const look = (): void => {
    gc();
    most = Math.max(most, process.memoryUsage().heapUsed - before);
  };
  const onProgress = (): void => {
    batches += 1;
    look();
  };
  const settings = { reveal: false, key: new Uint8Array(32), log, stop: new AbortController().signal, onProgress };
  const answer = await ask(file, settings);
  look();
  expect(batches).toBeGreaterThan(1);
  for (const line of answer.text) expect(line).not.toBeUndefined();
  return most / MB;
}

test.each(Object.keys(COMMANDS))('%s keeps far less than what it reads', async (name) => {
  const ask = COMMANDS[name] ?? (async () => ({ text: [] }));
  // Tables that are loaded once are no growth.
  await mostAliveMb(ask, small);
  const few = await mostAliveMb(ask, small);
  const many = await mostAliveMb(ask, large);
  expect(grownMb).toBeGreaterThan(7);
  // Memories of searched and compared texts fill up to their bounds meanwhile.
  expect(many - few).toBeLessThan(grownMb * 0.7);
});

test('show keeps the texts that it prints, and no prompt', async () => {
  const ask = (file: string, settings: Settings): Promise<Said> =>
    show(file, { ...settings, what: undefined, explain: false }, plain);
  const few = await mostAliveMb(ask, small);
  expect((await mostAliveMb(ask, large)) - few).toBeLessThan(grownMb * 0.7);
});
