import fc from 'fast-check';
import { expect, it } from 'vitest';
import { patched, patchesOf } from '../../../src/app/scrub/patches.ts';

const bytes = (text: string) => new Uint8Array(Buffer.from(text));

it('holds what differs, and copies of it alone', () => {
  const patches = patchesOf(
    Buffer.from('a key-1 and far away from it b'),
    Buffer.from('a xyz-2 and far away from it c'),
  );
  expect(patches).toEqual([
    { at: 2, bytes: bytes('xyz-2') },
    { at: 29, bytes: bytes('c') },
  ]);
  expect(patches.map((patch) => patch.bytes.buffer.byteLength)).toEqual([5, 1]);
  expect(patchesOf(bytes('same'), bytes('same'))).toEqual([]);
});

it('makes the changed body of any pieces of the one before, and changes none of them', () => {
  const pair = fc
    .uint8Array({ maxLength: 200 })
    .chain((before) =>
      fc.tuple(
        fc.constant(before),
        fc.uint8Array({ minLength: before.length, maxLength: before.length }),
        fc.array(fc.boolean(), { minLength: before.length, maxLength: before.length }),
        fc.integer({ min: 1, max: 50 }),
      ),
    );
  fc.assert(
    fc.property(pair, ([before, other, keeps, size]) => {
      const after = before.map((byte, at) => (keeps[at] ? byte : (other[at] ?? 0)));
      const patches = patchesOf(before, after);
      const copy = Buffer.from(before);
      const pieces: Uint8Array[] = [];
      for (let at = 0; at < copy.length; at += size) pieces.push(patched(copy.subarray(at, at + size), at, patches));
      expect(new Uint8Array(Buffer.concat(pieces))).toEqual(after);
      expect(new Uint8Array(copy)).toEqual(before);
    }),
  );
});

it('gives back the piece itself where nothing falls into it', () => {
  const piece = bytes('abc');
  expect(patched(piece, 10, [{ at: 0, bytes: bytes('xxxxxxxxxx') }])).toBe(piece);
});
