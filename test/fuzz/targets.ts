// What is fuzzed: each decoder as a function of bytes that throws only when the decoder broke a promise. Used by the short
// test, by the mutation fuzzer and, bundled, by a coverage-guided one.
import { brotliDecompressSync } from 'node:zlib';
import { ContentDecoder } from '../../src/bytes/index.ts';
import { DIALECTS, readJson } from '../../src/dialects/index.ts';
import { createEngine } from '../../src/engine/index.ts';
import type { CaptureRecord, Dir } from '../../src/model/index.ts';
import { http1 } from '../../src/protocols/http1/index.ts';
import { FrameReader, type FrameSink } from '../../src/protocols/http2/frame-reader.ts';
import { HpackDecoder, MAX_LIST_BYTES } from '../../src/protocols/http2/hpack/decoder.ts';
import { http2 } from '../../src/protocols/http2/index.ts';
import type { ProtocolParser, ProtoEvent } from '../../src/protocols/protocol.ts';
import { SseParser } from '../../src/protocols/sse.ts';
import { openWebSocket } from '../../src/protocols/websocket.ts';
import { createRecordingReader } from '../../src/record/index.ts';
import { parseScript, type Step } from './script.ts';

export type Target = (input: Uint8Array) => void;

const CODINGS = ['gzip', 'deflate', 'br', 'zstd'] as const;
/** What a content decoder may give beyond its input: the free part of the bomb rule, and its ratio. */
const FREE_BYTES = 17 << 20;
const MAX_RATIO = 251;

function check(holds: boolean, promise: string): void {
  if (!holds) throw new Error(`broken promise: ${promise}`);
}

const sizeOf = (steps: readonly Step[]): number =>
  steps.reduce((sum, step) => sum + ('bytes' in step ? step.bytes.length : 0), 0);

/** No parser gives out more body bytes than it was given, and none fewer than zero. */
function runParser(open: (emit: (event: ProtoEvent) => void) => ProtocolParser, steps: readonly Step[]): void {
  let bodyBytes = 0;
  const parser = open((event) => {
    if (event.type === 'body') bodyBytes += event.bytes.length;
    if (event.type === 'body-gap') check(event.lostBytes >= 0, 'no negative hole');
  });
  for (const step of steps) {
    if ('bytes' in step) parser.data(step.dir, step.bytes, 0n);
    else if (step.lostBytes > 0) parser.gap(step.dir, step.lostBytes, 0n);
  }
  parser.end('out', 'closed', 0n);
  parser.end('in', 'closed', 0n);
  check(bodyBytes <= sizeOf(steps), 'no body bytes from nowhere');
}

const NOTHING = (): void => {};

function frameReader(input: Uint8Array): void {
  let dataBytes = 0;
  const sink: FrameSink = {
    frame: ({ lenBytes }, payload) => check(payload.length === lenBytes, 'a frame is delivered whole'),
    dataBytes: (_, bytes) => {
      dataBytes += bytes.length;
    },
    dataLost: (_, lostBytes) => check(lostBytes > 0, 'a hole has a size'),
    dataEnd: NOTHING,
    unreadable: NOTHING,
    overlong: NOTHING,
    broken: NOTHING,
  };
  const reader = new FrameReader(sink, true);
  const steps = parseScript(input);
  for (const step of steps) {
    const isUseless = 'bytes' in step ? reader.push(step.bytes) !== undefined : reader.gap(step.lostBytes) > 0;
    if (isUseless) break;
  }
  check(dataBytes <= sizeOf(steps), 'no DATA from nowhere');
}

/** Sent pieces are header blocks; received ones change the settings. */
function hpack(input: Uint8Array): void {
  const decoder = new HpackDecoder();
  for (const step of parseScript(input)) {
    if ('lostBytes' in step) decoder.forget();
    else if (step.dir === 'in') decoder.allow(step.bytes.length);
    else {
      const { fields } = decoder.decode(step.bytes);
      const known = fields.reduce(
        (sum, field) => sum + (Array.isArray(field) ? field[0].length + field[1].length : 0),
        0,
      );
      check(known <= MAX_LIST_BYTES, 'a header list is bounded');
    }
  }
}

function sse(input: Uint8Array): void {
  let characters = 0;
  const host = {
    event: ({ data }: { data: string }) => {
      characters += data.length;
    },
    problem: NOTHING,
  };
  const parser = new SseParser(host);
  const steps = parseScript(input);
  for (const step of steps) {
    if ('bytes' in step) parser.push(step.bytes);
    else parser.gap();
  }
  check(characters <= sizeOf(steps), 'no text from nowhere');
}

/** The first byte chooses the coding. */
function coding(input: Uint8Array): void {
  let given = 0;
  const decoder = new ContentDecoder([CODINGS[(input[0] ?? 0) % CODINGS.length] as string], (bytes) => {
    given += bytes.length;
  });
  const steps = parseScript(input.subarray(1));
  for (const step of steps) if ('bytes' in step) decoder.push(step.bytes);
  decoder.end();
  check(given <= FREE_BYTES + MAX_RATIO * sizeOf(steps), 'a bomb stops');
}

function recording(input: Uint8Array): void {
  const reader = createRecordingReader({ onRecord: NOTHING }, (packed, maxOutputLength) =>
    brotliDecompressSync(packed, { maxOutputLength }),
  );
  for (let at = 0; at < input.length; at += 1000) reader.push(input.subarray(at, at + 1000));
  const { lastWholeOffset, leftBytes } = reader.end();
  check(lastWholeOffset + leftBytes <= input.length, 'no more bytes than the file has');
}

/** One text as request, as whole answer and as stream of every dialect. */
function dialect(input: Uint8Array): void {
  const text = Buffer.from(input).toString('utf8');
  const { value } = readJson(text);
  for (const one of DIALECTS) {
    const score = one.score({ path: null, headers: [], body: value, reply: value });
    check(score >= 0 && score <= 100, 'a score is 0 to 100');
    one.request(value, '/v1/models/m:generateContent');
    const whole = one.reply();
    whole.json(text);
    whole.end(true);
    const stream = one.reply();
    for (const line of text.split('\n', 1000)) stream.message({ event: '', data: line });
    stream.end(false);
  }
}

const KEY = { pid: 1, startNs: 1n, ssl: 1n, generation: 0 };

function engine(input: Uint8Array): void {
  let open = 0;
  const subject = createEngine({
    emit: (event) => {
      if (event.type === 'ExchangeStarted') open++;
      if (event.type === 'ExchangeEnded') open--;
    },
  });
  for (const record of recordsOf(parseScript(input))) subject.accept(record);
  subject.end(1n);
  check(open === 0, 'every exchange ends once');
}

function recordsOf(steps: readonly Step[]): CaptureRecord[] {
  const offset: Record<Dir, number> = { out: 0, in: 0 };
  const base = { kind: 'data', ...KEY, tsNs: 0n, tid: 1, hook: 1, callEnd: true } as const;
  return steps.flatMap((step) => {
    const { dir } = step;
    const at = offset[dir];
    offset[dir] += 'bytes' in step ? step.bytes.length : step.lostBytes;
    return 'bytes' in step ? [{ ...base, dir, offset: at, callBytes: step.bytes.length, bytes: step.bytes }] : [];
  });
}

/** Whether a connection is seen from its start is the first byte's to say. */
const parserTarget =
  (open: typeof http1.open): Target =>
  (input) => {
    const isWhole = (input[0] ?? 0) % 2 === 0;
    const steps = parseScript(input.subarray(1));
    runParser((emit) => open({ emit, outWhole: isWhole, inWhole: isWhole }), steps);
  };

export const TARGETS: Readonly<Record<string, Target>> = {
  'frame-reader': frameReader,
  hpack,
  http1: parserTarget((info) => http1.open(info)),
  http2: parserTarget((info) => http2.open(info)),
  websocket: parserTarget((info) =>
    openWebSocket(info, { client: 'out', stream: 1, extensions: 'permessage-deflate; client_max_window_bits=12' }),
  ),
  sse,
  coding,
  recording,
  dialect,
  engine,
};
