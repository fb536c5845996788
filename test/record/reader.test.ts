import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crc32 } from '../../src/record/crc32.ts';
import { createRecordingReader, type DecodedRecord, decodeRecord, type RecordingEnd } from '../../src/record/index.ts';
import { FACTS, SAMPLE_RAW, SAMPLE_RECORDS, sampleRecording } from './sample.ts';

/** Copies views, as a consumer that keeps records must. */
const keep = (record: DecodedRecord): DecodedRecord =>
  record.kind === 'data' ? { ...record, bytes: record.bytes.slice() } : record;

function readAll(chunks: Iterable<Uint8Array>): { records: DecodedRecord[]; end: RecordingEnd; header: unknown } {
  const records: DecodedRecord[] = [];
  let header: unknown = null;
  const onHeader = (h: unknown): void => {
    header = h;
  };
  const reader = createRecordingReader({ onHeader, onRecord: (record) => records.push(keep(record)) });
  for (const chunk of chunks) reader.push(chunk);
  return { records, end: reader.end(), header };
}

const { file, blockEnds } = sampleRecording();

describe('a whole recording', () => {
  it('gives back header and records exactly as they went in', () => {
    const { records, end, header } = readAll([file]);
    expect(records).toEqual(SAMPLE_RECORDS);
    expect(header).toEqual({ ...FACTS, formatVersion: 1, part: 0 });
    const counts = { blocks: 4, records: SAMPLE_RECORDS.length, formatVersion: 1 };
    const marks = { continues: false, hasIndex: false };
    expect(end).toEqual({
      state: 'whole',
      lastWholeOffset: file.length,
      leftBytes: 0,
      problem: null,
      ...counts,
      ...marks,
    });
  });

  it('keeps kernel records byte for byte, malformed ones too', () => {
    const direct = SAMPLE_RAW.map((raw) => decodeRecord(raw));
    const { records } = readAll([file]);
    expect(records.filter((r) => direct.some((d) => d.kind === r.kind))).toEqual(direct);
  });

  it('reads the same however the bytes are cut into chunks', () => {
    const cuts = fc.array(fc.nat(file.length), { maxLength: 30 });
    fc.assert(
      fc.property(cuts, (points) => {
        const edges = [0, ...points.sort((a, b) => a - b), file.length];
        // Each chunk is wiped after the push: the reader must not lean on the caller's memory.
        const records: DecodedRecord[] = [];
        const reader = createRecordingReader({ onRecord: (record) => records.push(keep(record)) });
        for (let i = 1; i < edges.length; i++) {
          const chunk = file.slice(edges[i - 1], edges[i]);
          reader.push(chunk);
          chunk.fill(0xee);
        }
        expect(records).toEqual(SAMPLE_RECORDS);
        expect(reader.end().state).toBe('whole');
      }),
    );
  });
});

describe('a recording cut at any byte', () => {
  it('replays up to the last whole block and says where that is', () => {
    for (let length = 0; length < file.length; length++) {
      const { records, end } = readAll([file.subarray(0, length)]);
      const lastEnd = blockEnds.filter((at) => at.offset <= length).at(-1) ?? { offset: 0, records: 0 };
      expect(end.state).toBe('cut');
      expect(end.lastWholeOffset).toBe(lastEnd.offset);
      expect(end.leftBytes).toBe(length - lastEnd.offset);
      expect(records).toEqual(SAMPLE_RECORDS.slice(0, lastEnd.records));
    }
  });

  it('tells a reader in words what is missing', () => {
    const inside = (blockEnds[2]?.offset ?? 0) + 10;
    expect(readAll([file.subarray(0, inside)]).end.problem).toBe(
      `ends inside a block, 10 bytes left over, at offset ${inside - 10}`,
    );
    expect(readAll([file.subarray(0, inside - 10)]).end.problem).toBe(
      `ends without the end of the session, at offset ${inside - 10}`,
    );
  });
});

describe('a damaged or hostile recording', () => {
  it('stops at the damaged block and names its offset, whichever bit is wrong', () => {
    const blockStart = blockEnds[2]?.offset ?? 0;
    const blockEnd = blockEnds[3]?.offset ?? 0;
    for (let at = blockStart + 4; at < blockEnd; at++) {
      const damaged = file.slice();
      damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8));
      const { records, end } = readAll([damaged]);
      expect(end).toMatchObject({ state: 'corrupt', lastWholeOffset: blockStart });
      expect(end.problem).toBe(`checksum mismatch, at offset ${blockStart}`);
      expect(records).toEqual(SAMPLE_RECORDS.slice(0, blockEnds[2]?.records));
    }
  });

  it('refuses a length over the limit without reserving memory for it', () => {
    const hostile = file.slice(0, blockEnds[1]!.offset + 8);
    new DataView(hostile.buffer).setUint32(blockEnds[1]!.offset, 0xffff_ffff, true);
    expect(readAll([hostile]).end).toMatchObject({
      state: 'corrupt',
      problem: `frame of 4294967295 bytes, at offset ${blockEnds[1]!.offset}`,
    });
  });

  it('takes a tail of zero bytes, as a crash leaves it, for damage', () => {
    const tail = new Uint8Array(file.length + 4096);
    tail.set(file);
    expect(readAll([tail]).end).toMatchObject({ state: 'corrupt', lastWholeOffset: file.length });
  });

  it('knows a file that is not a recording from its first bytes', () => {
    expect(readAll([new TextEncoder().encode('{"type"')]).end).toMatchObject({ state: 'foreign', records: 0 });
    const lineEnds = file.slice();
    lineEnds.copyWithin(4, 5);
    expect(readAll([lineEnds]).end.state).toBe('foreign');
  });

  it('never throws, whatever the bytes behind a correct checksum are', () => {
    const start = blockEnds[1]!.offset;
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 300 }), (payload) => {
        const forged = new Uint8Array(start + 8 + payload.length);
        forged.set(file.subarray(0, start));
        new DataView(forged.buffer).setUint32(start, payload.length, true);
        new DataView(forged.buffer).setUint32(start + 4, crc32(payload), true);
        forged.set(payload, start + 8);
        expect(['cut', 'corrupt']).toContain(readAll([forged]).end.state);
      }),
    );
  });

  it('tells the pusher to stop', () => {
    const reader = createRecordingReader({ onRecord: () => undefined });
    expect(reader.push(new Uint8Array([1]))).toBe(false);
    expect(reader.push(file)).toBe(false);
    expect(reader.end()).toMatchObject({ state: 'foreign', lastWholeOffset: 0, leftBytes: file.length + 1 });
  });
});

describe('recordings of every format version', () => {
  const vector = (name: string): Uint8Array =>
    new Uint8Array(readFileSync(new URL(`../vectors/recording/${name}`, import.meta.url)));

  it('version 1 reads as it did when it was written', () => {
    const { records, end } = readAll([vector('v1.rec')]);
    expect(end.state).toBe('whole');
    expect(records).toEqual(SAMPLE_RECORDS);
  });

  it('version 1 is still written byte for byte as then', () => {
    expect(Buffer.from(file).equals(vector('v1.rec'))).toBe(true);
  });

  it('version 2 reads as it did when it was written: compressed blocks, an index, the first part of several', () => {
    const file = vector('v2.rec');
    const records: DecodedRecord[] = [];
    const repeated: boolean[] = [];
    let part = 0;
    const reader = createRecordingReader(
      {
        onHeader: (header) => {
          part = header.part;
        },
        onRecord: (record, _, again) => {
          records.push(keep(record));
          repeated.push(again);
        },
      },
      (packed, maxOutputLength) => brotliDecompressSync(packed, { maxOutputLength }),
    );
    reader.push(file);
    expect(records).toEqual(SAMPLE_RECORDS);
    expect(reader.end()).toMatchObject({
      state: 'whole',
      formatVersion: 2,
      hasIndex: true,
      continues: true,
      blocks: 4,
    });
    expect([part, repeated.slice(0, 3)]).toEqual([1, [true, true, false]]);
  });

  it('a compressed block is named, not guessed at, by a reader that cannot unpack it or was lied to', () => {
    const file = vector('v2.rec');
    expect(readAll([file]).end).toMatchObject({
      state: 'corrupt',
      records: 0,
      problem: expect.stringMatching(/^unknown codec 1/),
    });
    const lying = createRecordingReader({ onRecord: () => {} }, () => new Uint8Array(3));
    lying.push(file);
    expect(lying.end().problem).toMatch(/^block of another length than announced/);
    const failing = createRecordingReader({ onRecord: () => {} }, () => {
      throw new Error('damaged');
    });
    failing.push(file);
    expect(failing.end().problem).toMatch(/^unreadable block/);
  });

  it('one from the future is told apart from damage', () => {
    const { records, end } = readAll([vector('from-the-future.rec')]);
    expect(records).toEqual([]);
    expect(end).toMatchObject({ state: 'newer', formatVersion: 1000, problem: 'format version 1000, at offset 8' });
  });
});
