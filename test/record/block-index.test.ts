import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IndexBuilder, type IndexRow, indexOffsetIn, readIndex } from '../../src/record/block-index.ts';
import { createRecordingReader, createRecordingWriter, type RecordingIndex } from '../../src/record/index.ts';
import { kernelRecord } from './kernel-record.ts';
import { FACTS } from './sample.ts';

const row = (n: number): IndexRow => ({
  offset: n * 100,
  firstNs: BigInt(n),
  lastNs: BigInt(n + 2),
  records: 1,
  contentBytes: 10,
});

/** A file of three blocks with its index, and the offset of each block. */
function indexedFile(continues = false) {
  const writer = createRecordingWriter();
  const frames = [writer.header(FACTS, continues ? 1 : 0)];
  const offsets: number[] = [];
  for (const tsNs of [10n, 20n, 30n]) {
    offsets.push(frames.reduce((sum, frame) => sum + frame.length, 0));
    writer.addKernel(kernelRecord({ kind: 2, tsNs }));
    frames.push(writer.frame(writer.takeBlock()!, null));
  }
  frames.push(writer.finish(continues));
  return { file: new Uint8Array(Buffer.concat(frames)), offsets };
}

/** As a reader that can seek does. */
function indexOf(file: Uint8Array): RecordingIndex | null {
  const offset = indexOffsetIn(file.subarray(-8), file.length);
  return offset === null ? null : readIndex(file.subarray(offset));
}

describe('the index at the end of a file', () => {
  it('leads to each block by the last eight bytes', () => {
    const { file, offsets } = indexedFile();
    expect(
      indexOf(file)?.rows.map(({ offset, firstNs, lastNs, records }) => [offset, firstNs, lastNs, records]),
    ).toEqual([
      [offsets[0], 10n, 10n, 1],
      [offsets[1], 20n, 20n, 1],
      [offsets[2], 30n, 30n, 1],
    ]);
  });

  it('is no block for one who reads front to back, and says whether the session goes on', () => {
    for (const continues of [false, true]) {
      const reader = createRecordingReader({ onRecord: () => {} });
      reader.push(indexedFile(continues).file);
      const state = continues ? 'whole' : 'cut';
      expect(reader.end()).toMatchObject({ blocks: 3, records: 3, hasIndex: true, continues, state });
    }
  });

  it('is absent, not wrong, when the file was cut or damaged anywhere', () => {
    const { file } = indexedFile();
    for (let length = 0; length < file.length; length++) expect(indexOf(file.subarray(0, length))).toBeNull();
    const start = indexOffsetIn(file.subarray(-8), file.length)!;
    for (let at = start; at < file.length; at++) {
      const damaged = file.slice();
      damaged[at] = (damaged[at] ?? 0) ^ 0x10;
      expect(indexOf(damaged)).toBeNull();
    }
  });

  it('never throws on what it is not', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(indexOf(bytes)).toBeNull();
      }),
    );
  });
});

it('covers all blocks in order with a bounded number of rows', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 2, max: 16 }), (blocks, maxRows) => {
      const builder = new IndexBuilder(maxRows);
      for (let n = 0; n < blocks; n++) builder.add(row(n));
      const { rows } = builder;
      expect(rows.length).toBeLessThanOrEqual(maxRows);
      expect(rows.reduce((sum, { records }) => sum + records, 0)).toBe(blocks);
      expect(rows[0]?.offset).toBe(0);
      let next = 0;
      for (const { offset, firstNs, lastNs, records } of rows) {
        expect([offset, firstNs, lastNs]).toEqual([next * 100, BigInt(next), BigInt(next + records + 1)]);
        next += records;
      }
    }),
  );
});
