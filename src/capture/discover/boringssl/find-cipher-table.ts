// BoringSSL's table of cipher suites: rows of 40 bytes, sorted by number, beginning with those of TLS 1.3.
//
//     +0 name   +8 standard name   +16 u32 number (0x0300 in its upper half until 2025, then 0)   +20 u32 key exchange   +24 u32 …
//
// That it is there in this form proves at which offset a pointer to a row has the suite's number.

import { forEachBlock } from '../blocks.ts';
import { dataSegments, type ElfImage, type Segment } from '../elf.ts';

const ROW_WORDS = 10;
/** TLS_AES_128_GCM_SHA256, TLS_AES_256_GCM_SHA384, TLS_CHACHA20_POLY1305_SHA256. */
const FIRST_SUITES = [0x1301, 0x1302, 0x1303];
const PREFIXES = [0, 0x0300_0000];
/** From a row's number to the third row's fields; an even number, so that blocks that overlap by them begin 8-byte aligned. */
const SEEN_WORDS = 2 * ROW_WORDS + 4;

/** What is written to while the program is loaded comes last among its segments: there the table mostly is, with its names. */
export const hasCipherTable = (elf: ElfImage): boolean =>
  [...dataSegments(elf)].reverse().some((segment) => isIn(elf, segment));

function isIn(elf: ElfImage, { address, offset, fileBytes }: Segment): boolean {
  const skip = (8 - (address % 8)) % 8;
  const extent = { offset: offset + skip, sizeBytes: fileBytes - skip };
  let isFound = false;
  forEachBlock(elf.reader.source, extent, SEEN_WORDS * 4, (block) => {
    const words = new Uint32Array(block.buffer, block.byteOffset, block.length >> 2);
    // The number is 8-byte aligned, as the names before it are.
    for (let i = 0; !isFound && i + SEEN_WORDS <= words.length; i += 2) {
      if (((words[i] ?? 0) & 0xffff) === 0x1301) isFound = isTableAt(words, i);
    }
  });
  return isFound;
}

/** Three rows, which differ in their ciphers but not in how keys are exchanged and peers proven. */
function isTableAt(words: Uint32Array, at: number): boolean {
  return PREFIXES.some((prefix) =>
    FIRST_SUITES.every((suite, row) => {
      const here = at + row * ROW_WORDS;
      const isSame = words[here + 1] === words[at + 1] && words[here + 2] === words[at + 2];
      return words[here] === prefix + suite && isSame && words[at + 1] !== 0 && words[at + 2] !== 0;
    }),
  );
}
