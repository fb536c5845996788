import { describe, expect, it } from 'vitest';
import { readImage } from '../../../src/capture/discover/image.ts';
import { bytesSource } from '../../../src/capture/discover/source.ts';
import { tinyElf } from './tiny-elf.ts';

describe('a program file', () => {
  it('is searched for texts when these are asked for, and once', () => {
    const inner = bytesSource(tinyElf({ data: Buffer.from('\0x/ssl/ssl_lib.cc\0') }));
    let reads = 0;
    const answer = readImage({ ...inner, read: (at, into) => ++reads && inner.read(at, into) });
    if (!answer.ok) throw new Error(answer.why);
    const before = reads;
    expect([...answer.image.anchors().keys()]).toEqual(['boringSslLib']);
    const after = reads;
    expect(after).toBeGreaterThan(before);
    answer.image.anchors();
    expect(reads).toBe(after);
  });

  it('is refused with a reason when it is no program', () => {
    expect(readImage(bytesSource(Buffer.from('text')))).toEqual({ ok: false, why: 'not an ELF file' });
  });
});
