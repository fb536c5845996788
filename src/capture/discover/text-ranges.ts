// Where in memory the texts of an anchor lie.

import type { Range } from './code/machine.ts';
import { addressOf } from './elf.ts';
import type { ProgramImage } from './image.ts';
import type { AnchorName } from './strings.ts';

/** A path is at most this long; its prefix varies with the build. */
const MAX_PATH_BYTES = 256;

/** The addresses of each path string, from its first to its last part: code may point to the whole or, where the linker
 * merged tails, into it. */
export function textRanges({ elf, anchors }: ProgramImage, anchor: AnchorName): Range[] {
  return (anchors().get(anchor) ?? []).flatMap((at) => {
    const address = addressOf(elf, at);
    if (address === undefined) return [];
    const room = Math.min(MAX_PATH_BYTES, at);
    const before = elf.reader.bytes(at - room, room) ?? new Uint8Array(0);
    const isPrintable = (byte: number): boolean => byte >= 0x20 && byte < 0x7f;
    const prefixBytes = before.length - 1 - before.findLastIndex((byte) => !isPrintable(byte));
    return [{ low: address - prefixBytes, high: address + 1 }];
  });
}
