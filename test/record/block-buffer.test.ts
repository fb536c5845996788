import { expect, it } from 'vitest';
import { BlockBuffer, sealFrame } from '../../src/record/block-buffer.ts';
import { tracer } from '../../src/record/recording.gen.js';

const { Block, Entries, Entry } = tracer.recording;

it('writes what the generated code writes, at every size of a length', () => {
  for (const lenBytes of [0, 1, 126, 127, 128, 16_383, 16_384, 300_000, 2_200_000]) {
    const kernel = new Uint8Array(lenBytes).fill(0xab);
    const counters = { counters: [{ name: 'calls', value: 7 }] };
    const buffer = new BlockBuffer();
    buffer.addKernel(kernel);
    buffer.addEntry(Entry.encode({ counters }).finish());
    const content = Entries.encode({ entries: [{ kernel }, { counters }] }).finish();
    const payload = Block.encode({ contentBytes: content.length, content }).finish();
    const expected = Buffer.concat([Buffer.alloc(8), payload]);
    sealFrame(expected);
    expect(Buffer.from(buffer.take()).equals(expected)).toBe(true);
    expect(buffer.length).toBe(0);
  }
});
