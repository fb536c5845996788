import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { functionRanges } from '../../../../src/capture/discover/code/eh-frame.ts';
import { readImage } from '../../../../src/capture/discover/image.ts';
import { openFileSource } from '../../../../src/capture/discover/source.ts';
import { debianFile } from '../../../kit/binaries/programs.ts';
import { CODE_ADDRESS, tinyImage } from '../tiny-elf.ts';

describe('the unwind table', () => {
  it('gives the ranges that readelf shows', (context) => {
    const path = debianFile(context, '/usr/lib/x86_64-linux-gnu/libssl.so.3', 'libssl3');
    const readelf = debianFile(context, '/usr/bin/readelf', 'binutils');
    const text = execFileSync(readelf, ['--debug-dump=frames', path], { encoding: 'latin1', maxBuffer: 1 << 28 });
    const shown = [...text.matchAll(/FDE cie=\w+ pc=(\w+)\.\.(\w+)/g)].map(([, low, high]) => ({
      low: Number.parseInt(low!, 16),
      high: Number.parseInt(high!, 16),
    }));
    const source = openFileSource(path);
    const answer = source.ok ? readImage(source.value) : undefined;
    if (!answer?.ok) throw new Error('not readable');
    const rangeOf = functionRanges(answer.image.elf);
    expect(shown.length).toBeGreaterThan(500);
    for (const range of shown) expect(rangeOf(range.high - 1)).toEqual(range);
    expect(rangeOf(1)).toBeUndefined();
  });

  it('is no help where there is none, or one in another encoding', () => {
    expect(functionRanges(tinyImage({}))(CODE_ADDRESS)).toBeUndefined();
    const odd = tinyImage({
      data: Uint8Array.of(1, 0x1b, 0x03, 0x1b, 0, 0, 0, 0, 9, 0, 0, 0),
      extra: [{ type: 0x6474_e550, at: 0, size: 12 }],
    });
    expect(functionRanges(odd)(CODE_ADDRESS)).toBeUndefined();
  });
});
