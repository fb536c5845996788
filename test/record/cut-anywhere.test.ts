// A recording that ends at any byte of its last megabyte replays without a crash and gives whole blocks only. Every place is
// tried with the real reader, three ways: with the state that it has there after all that came before; by a new reader that
// is given the cut frame in one piece, behind the header; and by one that reads the file from its start (around the end of
// each frame, and in steps). The last two take a minute for every byte of the megabyte: TRACER_CUT_BYTES=1048576.
import { createHash } from 'node:crypto';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';
import { createRecordingReader, createRecordingWriter, type RecordingEnd } from '../../src/record/index.ts';
import { kernelRecord } from './kernel-record.ts';
import { FACTS } from './sample.ts';

const LAST_BYTES = 1024 * 1024;
/** How many of them are tried with new readers. */
const AFRESH_BYTES = Math.min(LAST_BYTES, Number(process.env['TRACER_CUT_BYTES'] ?? 32_768));
/** Primes: no step of the format is a multiple of them. */
const FROM_START_EVERY = AFRESH_BYTES === LAST_BYTES ? 1021 : 8191;

const unpack = (packed: Uint8Array, maxOutputLength: number): Uint8Array =>
  brotliDecompressSync(packed, { maxOutputLength });

interface Frame {
  /** Offset behind it. */
  readonly end: number;
  /** Records in the file up to there. */
  readonly records: number;
}

/** 16 KiB that look random, or are letters; the same in every run. */
function payload(block: number, seed: number): Uint8Array {
  const bytes = createHash('shake256', { outputLength: 16_384 }).update(`${block} ${seed}`).digest();
  return block % 2 === 0 ? bytes : bytes.map((byte) => 97 + (byte & 7));
}

let file = new Uint8Array();
/** In order; the first is magic and header, the last the index. */
const frames: Frame[] = [];
let from = 0;

/** Blocks of plaintext, every second of which compresses well and every other not at all, and an index. */
beforeAll(() => {
  const writer = createRecordingWriter();
  const parts: Uint8Array[] = [];
  let records = 0;
  const add = (bytes: Uint8Array): void => {
    parts.push(bytes);
    frames.push({ end: (frames.at(-1)?.end ?? 0) + bytes.length, records });
  };
  add(writer.header(FACTS));
  for (let block = 0; frames.at(-1)!.end < LAST_BYTES + 600_000; block++) {
    for (; !writer.isFull(); records++) writer.addKernel(kernelRecord({ kind: 1, payload: payload(block, records) }));
    const pending = writer.takeBlock()!;
    const packed = brotliCompressSync(pending.content, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
    add(writer.frame(pending, packed.length < pending.content.length ? packed : null));
  }
  add(writer.finish(true));
  file = new Uint8Array(Buffer.concat(parts));
  from = file.length - LAST_BYTES;
});

/** The last frame that is whole in the first `length` bytes. */
const lastWhole = (length: number): Frame => frames.findLast(({ end }) => end <= length)!;

/** What is wrong with what the reader said of a file of `length` bytes, or null. */
function wrong(said: RecordingEnd, length: number): string | null {
  const { end } = lastWhole(length);
  const isRight = said.state === 'cut' && said.lastWholeOffset + said.leftBytes === length;
  return isRight && said.leftBytes === length - end ? null : `${length}: ${JSON.stringify(said)}`;
}

/** Tries every place from `from` on; the first that is wrong. */
function firstWrong(lengths: Iterable<number>, end: (length: number) => string | null): string | null {
  for (const length of lengths) {
    const problem = end(length);
    if (problem !== null) return problem;
  }
  return null;
}

function* everyPlace(start: number): Iterable<number> {
  for (let length = start; length < file.length; length++) yield length;
}

it('has read all whole blocks and says how much is left over, at every byte at which it may end', () => {
  let records = 0;
  const reader = createRecordingReader({ onRecord: () => records++ }, unpack);
  reader.push(file.subarray(0, from - 1));
  const problem = firstWrong(everyPlace(from), (length) => {
    reader.push(file.subarray(length - 1, length));
    const expected = lastWhole(length).records;
    return records === expected ? wrong(reader.end(), length) : `${length}: ${records} of ${expected} records`;
  });
  expect(problem).toBeNull();
  reader.push(file.subarray(file.length - 1));
  expect(reader.end()).toMatchObject({ state: 'whole', hasIndex: true, records: frames.at(-1)!.records });
}, 120_000);

it('takes a frame that is cut at any byte for a cut, when given in one piece', () => {
  const problem = firstWrong(everyPlace(file.length - AFRESH_BYTES), (length) => {
    const reader = createRecordingReader({ onRecord: () => {} }, unpack);
    const { end } = lastWhole(length);
    reader.push(file.subarray(0, frames[0]!.end));
    reader.push(file.subarray(end, length));
    const said = reader.end();
    const skippedBytes = end - frames[0]!.end;
    return wrong({ ...said, lastWholeOffset: said.lastWholeOffset + skippedBytes }, length);
  });
  expect(problem).toBeNull();
}, 300_000);

it('gives the records of all whole blocks, read from its start, wherever it ends', () => {
  const places = new Set<number>();
  for (const { end } of frames) for (let by = -10; by <= 10; by++) places.add(end + by);
  for (let length = from; length < file.length; length += FROM_START_EVERY) places.add(length);
  const problem = firstWrong(
    [...places].filter((length) => length >= from && length < file.length),
    (length) => {
      let records = 0;
      const reader = createRecordingReader({ onRecord: () => records++ }, unpack);
      reader.push(file.subarray(0, length));
      return records === lastWhole(length).records ? wrong(reader.end(), length) : `${length}: ${records} records`;
    },
  );
  expect(problem).toBeNull();
}, 120_000);
