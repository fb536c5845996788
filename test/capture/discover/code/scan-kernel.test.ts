import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GROUP_BYTES, makeScanKernel, OPCODE_BYTES } from '../../../../src/capture/discover/code/scan-kernel.ts';

const AT = 16;
const OUT = 4096;

/** Groups with a hit, by the plain definition. */
function plain(
  bytes: Uint8Array,
  count: number,
  bias: number,
  step: number,
  last: number,
  mask: number,
  pattern: number,
) {
  const view = new DataView(bytes.buffer);
  const groups = new Set<number>();
  for (let q = 0; q < count; q++) {
    const sum = (view.getUint32(AT + q, true) + bias + q * step) >>> 0;
    const opcode = view.getUint16(AT + q - OPCODE_BYTES, true) & mask;
    if (sum <= last >>> 0 && opcode === pattern) groups.add(AT + q - (q % GROUP_BYTES));
  }
  return [...groups];
}

describe('the scan kernel', () => {
  it('finds exactly the groups that the plain definition finds', () => {
    const kernel = makeScanKernel(8192);
    const small = fc.constantFrom(0, 1, 4, 0x8d, 0x05, 0xe8, 0xff);
    fc.assert(
      fc.property(
        fc.array(small, { minLength: 64, maxLength: 512 }),
        fc.integer(),
        fc.constantFrom(0, 1),
        fc.nat(0xffff_fffe),
        fc.constantFrom([0, 0] as const, [0xfe00, 0xe800] as const, [0xc7ff, 0x058d] as const),
        (code, bias, step, last, [mask, pattern]) => {
          const bytes = new Uint8Array(1024);
          bytes.set(code, AT - OPCODE_BYTES);
          kernel.memory.set(bytes);
          const count = Math.floor((code.length - 40) / GROUP_BYTES + 1) * GROUP_BYTES;
          const first = AT - OPCODE_BYTES;
          const end = kernel.scan(first, first + count, bias, step, last, mask, pattern, OUT);
          const found = [...new Uint32Array(kernel.memory.slice(OUT, end).buffer)].map((g) => g + OPCODE_BYTES);
          expect(found).toEqual(plain(bytes, count, bias, step, last, mask, pattern));
        },
      ),
      { numRuns: 300 },
    );
  });
});
