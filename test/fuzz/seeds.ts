// Valid inputs of each target, to start from: recorded connections, the sample sessions, sample files, answers of models.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, deflateSync, gunzipSync, gzipSync } from 'node:zlib';
import type { Dir } from '../../src/model/index.ts';
import { chatCompletions, completions, messages, responsesEvents } from '../kit/service/answers.mjs';
import { scripted } from '../kit/service/copilot.mjs';
import { type Step, writeScript } from './script.ts';
import { SESSIONS } from './sessions.ts';

/** From the project's root, where every runner starts: the bundle of the fuzzer lies elsewhere than this file. */
const at = (path: string): string => join(process.cwd(), 'test', path);
const CAPTURES = at('vectors/captures/');
const RECORDINGS = at('vectors/recording/');
/** Inputs that once broke a promise, one folder per target. */
const FOUND = at('fuzz/found/');
/** Long captures only slow a fuzzer down. */
const MAX_SEED_BYTES = 8000;
const WHOLE = Uint8Array.of(0);
const JOINED = Uint8Array.of(1);

const joined = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(parts));

function captures(): Step[][] {
  return readdirSync(CAPTURES)
    .filter((file) => file.endsWith('.gz'))
    .map((file) => JSON.parse(gunzipSync(readFileSync(CAPTURES + file)).toString()) as [Dir, string][])
    .map((rows) => rows.map(([dir, text]) => ({ dir, bytes: Uint8Array.from(Buffer.from(text, 'base64')) })))
    .filter((steps) => steps.reduce((sum, { bytes }) => sum + bytes.length, 0) < MAX_SEED_BYTES);
}

const speaks = (steps: readonly Step[], start: string): boolean =>
  steps.some((step) => 'bytes' in step && Buffer.from(step.bytes).toString('latin1').startsWith(start));

const sent = (bytes: Uint8Array | string): Step[] => [{ dir: 'out', bytes: Uint8Array.from(Buffer.from(bytes)) }];

const ANSWER = scripted('gpt-x', true, { tool: 'tool_calls', end: 'stop' });
const STREAMS = [chatCompletions, responsesEvents, messages, completions].map((make) =>
  (make as (answer: typeof ANSWER) => { events: readonly string[] } | readonly string[])(ANSWER),
);
const EVENTS = STREAMS.map((stream) => ('events' in stream ? stream.events : stream).join(''));
const JSON_TEXTS = EVENTS.flatMap((text) => text.match(/\{.*\}/g) ?? []);

const TEXT = 'a body that is coded, a body that is coded again and again. '.repeat(20);
const zstd = (): Uint8Array => readFileSync(at('vectors/zstd/two-frames.zst'));

const connections = (): Step[][] => [...captures(), ...SESSIONS.map(({ parts }) => parts as Step[])];
const bothWays = (all: readonly Step[][]): Uint8Array[] =>
  all.flatMap((steps) => [joined(WHOLE, writeScript(steps)), joined(JOINED, writeScript(steps.slice(1)))]);

/** HPACK blocks of recorded HEADERS frames. */
const blocks = (): Step[] =>
  connections()
    .filter((steps) => speaks(steps, 'PRI *'))
    .flatMap((steps) => steps.flatMap((step) => ('bytes' in step ? headerFrames(step.bytes) : [])));

function headerFrames(bytes: Uint8Array): Step[] {
  const steps: Step[] = [];
  for (let from = 0; from + 9 <= bytes.length; ) {
    const end = from + 9 + Buffer.from(bytes).readUIntBE(from, 3);
    if (bytes[from + 3] === 1 && end <= bytes.length) steps.push({ dir: 'out', bytes: bytes.subarray(from + 9, end) });
    from = end;
  }
  return steps;
}

const SEEDS: Readonly<Record<string, () => Uint8Array[]>> = {
  'frame-reader': () => connections().map(writeScript),
  hpack: () => [writeScript(blocks()), ...blocks().map((block) => writeScript([block]))],
  http1: () => bothWays(connections().filter((steps) => !speaks(steps, 'PRI *'))),
  http2: () => bothWays(connections().filter((steps) => speaks(steps, 'PRI *'))),
  websocket: () =>
    bothWays(SESSIONS.filter(({ protocol }) => protocol === 'websocket').map(({ parts }) => parts.slice(2))),
  sse: () => EVENTS.map((text) => writeScript(sent(text))),
  coding: () =>
    [gzipSync(TEXT), deflateSync(TEXT), brotliCompressSync(TEXT), zstd()].map((bytes, coding) =>
      joined(Uint8Array.of(coding), writeScript(sent(bytes))),
    ),
  recording: () =>
    readdirSync(RECORDINGS)
      .filter((file) => file.endsWith('.rec'))
      .map((file) => Uint8Array.from(readFileSync(RECORDINGS + file))),
  dialect: () => [...JSON_TEXTS, ...EVENTS].map((text) => Uint8Array.from(Buffer.from(text))),
  engine: () => connections().map(writeScript),
};

export const seedsOf = (target: string): Uint8Array[] => SEEDS[target]?.() ?? [];

/** Inputs that were found to break a promise and are kept as cases. */
export function foundFor(target: string): Uint8Array[] {
  return readdirSync(FOUND)
    .filter((file) => file.startsWith(`${target}.`))
    .map((file) => Uint8Array.from(readFileSync(FOUND + file)));
}
