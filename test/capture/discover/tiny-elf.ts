// A minimal ELF64 file for tests: one code segment, one data segment, optionally fixed addresses, an unwind header, a note.

import { type ElfImage, parseElf } from '../../../src/capture/discover/elf.ts';
import { Reader } from '../../../src/capture/discover/reader.ts';
import { bytesSource } from '../../../src/capture/discover/source.ts';

export const CODE_OFFSET = 0x1000;
export const CODE_ADDRESS = 0x40_2000;
export const DATA_ADDRESS = 0x60_0000;

export interface TinyElf {
  readonly code?: Uint8Array;
  readonly data?: Uint8Array;
  readonly machine?: 62 | 183;
  readonly isFixed?: boolean;
  /** Further program headers over the data segment's bytes: {type, offset in the data, size}. */
  readonly extra?: readonly { readonly type: number; readonly at: number; readonly size: number }[];
}

export function tinyElf({
  code = new Uint8Array(16),
  data = new Uint8Array(0),
  machine = 62,
  isFixed = true,
  extra = [],
}: TinyElf): Uint8Array {
  const dataOffset = CODE_OFFSET + code.length + ((8 - (code.length % 8)) % 8);
  const bytes = new Uint8Array(dataOffset + data.length);
  const view = new DataView(bytes.buffer);
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  view.setUint16(16, isFixed ? 2 : 3, true);
  view.setUint16(18, machine, true);
  view.setBigUint64(32, 64n, true);
  view.setUint16(54, 56, true);
  const headers = [
    { type: 1, flags: 5, offset: CODE_OFFSET, address: CODE_ADDRESS, size: code.length },
    { type: 1, flags: 6, offset: dataOffset, address: DATA_ADDRESS, size: data.length },
    ...extra.map((e) => ({
      type: e.type,
      flags: 4,
      offset: dataOffset + e.at,
      address: DATA_ADDRESS + e.at,
      size: e.size,
    })),
  ];
  view.setUint16(56, headers.length, true);
  headers.forEach((h, i) => {
    const at = 64 + i * 56;
    view.setUint32(at, h.type, true);
    view.setUint32(at + 4, h.flags, true);
    view.setBigUint64(at + 8, BigInt(h.offset), true);
    view.setBigUint64(at + 16, BigInt(h.address), true);
    view.setBigUint64(at + 32, BigInt(h.size), true);
    view.setBigUint64(at + 40, BigInt(h.size), true);
  });
  bytes.set(code, CODE_OFFSET);
  bytes.set(data, dataOffset);
  return bytes;
}

export function tinyImage(parts: TinyElf): ElfImage {
  const answer = parseElf(new Reader(bytesSource(tinyElf(parts))));
  if (!answer.ok) throw new Error(answer.why);
  return answer.image;
}

export const hexBytes = (text: string): Uint8Array =>
  Uint8Array.from(
    text
      .trim()
      .split(/\s+/)
      .map((b) => Number.parseInt(b, 16)),
  );
