import { expect, it } from 'vitest';
import { BlockBuffer } from '../../src/record/block-buffer.ts';
import { tracer } from '../../src/record/recording.gen.js';

const { Entries, Entry } = tracer.recording;

it('writes what the generated code writes, at every size of a length', () => {
  for (const lenBytes of [0, 1, 126, 127, 128, 16_383, 16_384, 300_000, 2_200_000]) {
    const kernel = new Uint8Array(lenBytes).fill(0xab);
    const counters = { counters: [{ name: 'calls', value: 7 }] };
    const buffer = new BlockBuffer();
    buffer.addKernel(kernel);
    buffer.addEntry(Entry.encode({ counters }).finish(), 9n);
    const expected = Buffer.from(Entries.encode({ entries: [{ kernel }, { counters }] }).finish());
    expect(expected.equals(buffer.take(false).content)).toBe(true);
    expect(buffer.length).toBe(0);
  }
});
