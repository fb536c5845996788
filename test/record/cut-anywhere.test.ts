// A recording that ends at any byte of its last part replays without a crash and gives whole blocks only. The last megabyte
// of a large file takes up to half an hour: TRACER_CUT_BYTES=1048576.
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { createRecordingReader, createRecordingWriter } from '../../src/record/index.ts';
import { kernelRecord } from './kernel-record.ts';
import { FACTS } from './sample.ts';

const LAST_BYTES = Number(process.env['TRACER_CUT_BYTES'] ?? 4096);

const unpack = (packed: Uint8Array, maxOutputLength: number): Uint8Array =>
  brotliDecompressSync(packed, { maxOutputLength });

/** Blocks of plaintext that compresses little, an index at the end, and where each frame ends. */
function largeFile() {
  const writer = createRecordingWriter();
  const frames = [writer.header(FACTS)];
  let seed = 1;
  const payload = new Uint8Array(16_384);
  for (let bytes = 0; bytes < LAST_BYTES + 300_000; bytes += frames.at(-1)!.length) {
    while (!writer.isFull()) {
      for (let i = 0; i < payload.length; i++) {
        seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
        payload[i] = seed >> 16;
      }
      writer.addKernel(kernelRecord({ kind: 1, payload }));
    }
    const block = writer.takeBlock()!;
    frames.push(writer.frame(block, brotliCompressSync(block.content, { params: {} })));
  }
  frames.push(writer.finish(true));
  const ends: number[] = [];
  for (const frame of frames) ends.push((ends.at(-1) ?? 0) + frame.length);
  return { file: new Uint8Array(Buffer.concat(frames)), ends };
}

it('replays up to the last whole block, wherever in its last part it ends', () => {
  const { file, ends } = largeFile();
  const from = file.length - LAST_BYTES;
  for (let length = from; length < file.length; length++) {
    // What is before the last whole block is the same each time.
    const base = ends.filter((end) => end <= length).at(-2) ?? ends[0];
    const reader = createRecordingReader({ onRecord: () => {} }, unpack);
    reader.push(file.subarray(0, ends[0]));
    reader.push(file.subarray(base, length));
    const { state, leftBytes } = reader.end();
    const lastEnd = ends.filter((end) => end <= length).at(-1) ?? 0;
    expect([state, leftBytes]).toEqual(['cut', length - lastEnd]);
  }
  const reader = createRecordingReader({ onRecord: () => {} }, unpack);
  reader.push(file);
  expect(reader.end()).toMatchObject({ state: 'whole', hasIndex: true });
}, 7_200_000);
