import { crc32 as zlibCrc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import { createRecordingReader, createRecordingWriter, type DecodedRecord } from '../../src/record/index.ts';
import { kernelRecord } from './kernel-record.ts';
import { FACTS } from './sample.ts';

it('has no block to give while nothing was added', () => {
  const writer = createRecordingWriter();
  expect(writer.takeBlock()).toBeNull();
  writer.addKernel(kernelRecord({ kind: 2 }));
  expect(writer.takeBlock()).toMatchObject({ records: 1, repeated: false });
  expect(writer.takeBlock()).toBeNull();
});

it('says that a block is due at 256 KiB and not before', () => {
  const writer = createRecordingWriter();
  const record = kernelRecord({ kind: 1, payload: new Uint8Array(16_384) });
  for (let i = 0; i < 15; i++) writer.addKernel(record);
  expect(writer.isFull()).toBe(false);
  writer.addKernel(record);
  expect(writer.isFull()).toBe(true);
  writer.takeBlock();
  expect(writer.isFull()).toBe(false);
});

it('copies what it is given: the ring reuses its memory', () => {
  const writer = createRecordingWriter();
  const record = kernelRecord({ kind: 3, payload: 'before' });
  writer.addKernel(record);
  record.fill(0);
  const records: DecodedRecord[] = [];
  const reader = createRecordingReader({ onRecord: (r) => records.push(r) });
  reader.push(writer.header(FACTS));
  reader.push(writer.frame(writer.takeBlock()!, null));
  expect(records).toMatchObject([{ kind: 'sni', host: 'before' }]);
});

it('gives a frame in pieces of which one is the content itself, whoever makes the checksum', () => {
  const frames = [undefined, zlibCrc32].map((checksum) => {
    const writer = createRecordingWriter(checksum === undefined ? {} : { checksum });
    writer.addKernel(kernelRecord({ kind: 3, payload: 'host' }));
    const block = writer.takeBlock()!;
    const pieces = writer.framePieces(block, null);
    expect(pieces).toContain(block.content);
    expect(writer.frame(block, null)).toEqual(new Uint8Array(Buffer.concat(pieces)));
    return Buffer.concat(pieces);
  });
  expect(frames[0]).toEqual(frames[1]);
});

it('starts the file with a magic that survives no text conversion', () => {
  expect([...createRecordingWriter().header(FACTS).subarray(0, 8)]).toEqual([0x8f, 0x54, 0x52, 0x43, 13, 10, 26, 10]);
});

it('leaves out what the ring left behind a record', () => {
  const entry = new Uint8Array(256).fill(0xaa);
  entry.set(kernelRecord({ kind: 3, payload: 'host' }));
  const exact = createRecordingWriter();
  const slack = createRecordingWriter();
  exact.addKernel(entry.subarray(0, 68));
  slack.addKernel(entry);
  expect(slack.takeBlock()).toEqual(exact.takeBlock());
});

it('refuses a compressed block in a file that readers of version 1 shall read', () => {
  const writer = createRecordingWriter({ plain: true });
  writer.header(FACTS);
  writer.addKernel(kernelRecord({ kind: 2 }));
  expect(() => writer.frame(writer.takeBlock()!, new Uint8Array(3))).toThrow('format version 1');
});

it('covers in a block the times of its records, whatever their order', () => {
  const writer = createRecordingWriter();
  for (const tsNs of [70n, 50n, 90n]) writer.addKernel(kernelRecord({ kind: 2, tsNs }));
  writer.addUser({ kind: 'counters', tsNs: 60n, counters: {} });
  expect(writer.takeBlock()).toMatchObject({ firstNs: 50n, lastNs: 90n, records: 4 });
});
