import { describe, expect, it } from 'vitest';
import { readImage } from '../../../src/capture/discover/image.ts';
import { bytesSource } from '../../../src/capture/discover/source.ts';
import { textRanges } from '../../../src/capture/discover/text-ranges.ts';
import { DATA_ADDRESS, tinyElf } from './tiny-elf.ts';

describe('the place of a text in memory', () => {
  it('reaches from the start of the whole path to the start of the part that was sought', () => {
    const answer = readImage(bytesSource(tinyElf({ data: Buffer.from('x\0../../vendor/ssl/ssl_lib.cc\0') })));
    if (!answer.ok) throw new Error(answer.why);
    expect(textRanges(answer.image, 'boringSslLib')).toEqual([{ low: DATA_ADDRESS + 2, high: DATA_ADDRESS + 16 }]);
    expect(textRanges(answer.image, 'boringS3Pkt')).toEqual([]);
  });
});
