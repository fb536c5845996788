import { describe, expect, it } from 'vitest';
import { findMethodTable } from '../../../../src/capture/discover/boringssl/find-method-table.ts';
import { Functions } from '../../../../src/capture/discover/code/functions.ts';
import { machineX86 } from '../../../../src/capture/discover/code/machine-x86.ts';
import { CODE_ADDRESS, DATA_ADDRESS, tinyImage } from '../tiny-elf.ts';
import { sitedOf } from './traces.ts';

const [OPEN, WRITE] = [CODE_ADDRESS + 0x80, CODE_ADDRESS + 0x90];
const OPEN_SITES: [number, number][] = [
  [10, 182],
  [20, 225],
];
const WRITE_SITES: [number, number][] = [
  [30, 194],
  [40, 111],
];

/** A table of `slots` pointers behind the zero word, with open and write at 7 and 8. */
function find(slots: number, options: { lead?: number; writeOffset?: number; inlined?: boolean } = {}) {
  const pointers = Array.from({ length: slots }, (_, i) => CODE_ADDRESS + i * 8);
  pointers.splice(7, 2, OPEN, WRITE);
  const data = new Uint8Array(BigUint64Array.from([7, options.lead ?? 0, ...pointers, 0].map(BigInt)).buffer);
  const elf = tinyImage({ code: new Uint8Array(0x200), data });
  const s3Pkt = [
    sitedOf(OPEN, OPEN_SITES),
    sitedOf(WRITE, WRITE_SITES),
    ...(options.inlined ? [sitedOf(CODE_ADDRESS + 0xf0, [[30, 194]])] : []),
  ];
  const functions = new Functions(elf, machineX86(elf));
  return findMethodTable(elf, { errorFunction: 1, sslLib: [], s3Pkt }, functions, options.writeOffset);
}

describe('the method table', () => {
  it('is where open and write lie side by side among 15 or more functions', () => {
    expect(find(18, { writeOffset: 0x48 }).found).toEqual({
      address: DATA_ADDRESS + 8,
      openAppData: OPEN,
      writeAppData: WRITE,
      free: CODE_ADDRESS + 8,
      writeOffset: 0x48,
      isOpenComplete: true,
      isWriteComplete: true,
    });
  });

  it('says when a function of it is inlined elsewhere', () => {
    expect(find(18, { inlined: true }).found).toMatchObject({ isOpenComplete: true, isWriteComplete: false });
  });

  it.each([
    ['has too few functions', find(12)],
    ['has no zero word in front (DTLS has a one there)', find(18, { lead: 1 })],
    ['is not the one that SSL_write calls', find(18, { writeOffset: 0x50 })],
  ])('is refused when it %s', (_, answer) => {
    expect(answer.found).toBeUndefined();
  });
});
