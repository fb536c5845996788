import { describe, expect, it } from 'vitest';
import { findBoringSsl } from '../../../../src/capture/discover/boringssl/find.ts';
import { findCipherState } from '../../../../src/capture/discover/boringssl/find-cipher-state.ts';
import type { MethodTable } from '../../../../src/capture/discover/boringssl/find-method-table.ts';
import type { Functions } from '../../../../src/capture/discover/code/functions.ts';
import { argument, type Call, type Value } from '../../../../src/capture/discover/code/values.ts';
import { readImage } from '../../../../src/capture/discover/image.ts';
import { openFileSource } from '../../../../src/capture/discover/source.ts';
import { debianFile } from '../../../kit/binaries/programs.ts';

const load = (base: Value, disp: number): Value => ({ kind: 'load', base, disp });
const S3 = load(argument(0), 0x30);

/** What a function was seen to read: fields of objects behind fields of `s3`. And whom it hands its object to. */
interface Seen {
  readonly reads: readonly (readonly [field: number, disp: number])[];
  readonly calls?: readonly number[];
}

const OPEN = 1;
const WRITE = 2;

function find(functions: Readonly<Record<number, Seen>>) {
  const trace = (entry: number) => ({
    loads: (functions[entry]?.reads ?? []).map(([field, disp]) => ({ base: load(S3, field), disp })),
    calls: (functions[entry]?.calls ?? []).map((target): Partial<Call> => ({ target, args: [argument(0)] })),
  });
  const table = { openAppData: OPEN, writeAppData: WRITE } as MethodTable;
  return findCipherState(table, { trace } as unknown as Functions);
}

/** Three buffers (0xe0 to 0xf0) and the cipher states with the handshake (0x108 to 0x118), as they stand in a real one. */
const REAL: Readonly<Record<number, Seen>> = {
  [OPEN]: { reads: [[0x118, 0x620]], calls: [3] },
  3: {
    reads: [
      [0x108, 0],
      [0xe0, 0],
      [0xe0, 8],
    ],
  },
  [WRITE]: {
    reads: [
      [0xf0, 0],
      [0xf0, 0x10],
    ],
    calls: [4],
  },
  4: {
    reads: [
      [0x110, 0],
      [0xe8, 0],
    ],
  },
};

describe('the state of the record layer’s cipher', () => {
  it('is the first of three pointers, to what opens, to what writes, and to the handshake', () => {
    expect(find(REAL)).toEqual([0x30, 0x108, 0, 0x10]);
  });

  it.each([
    ['the handshake is not seen', { ...REAL, [OPEN]: { reads: [], calls: [3] } }],
    ['what writes does not look into its own', { ...REAL, 4: { reads: [[0xe8, 0]] } }],
    ['what opens does not look into its own', { ...REAL, 3: { reads: [[0xe0, 0]] } }],
    [
      'two places are like that',
      {
        ...REAL,
        3: {
          reads: [
            [0x108, 0],
            [0x100, 0],
          ],
        },
        4: {
          reads: [
            [0x110, 0],
            [0x108, 0],
            [0x110, 0x200],
          ],
        },
      },
    ],
    [
      'it is looked into far away only',
      {
        ...REAL,
        3: { reads: [], calls: [5] },
        5: { reads: [], calls: [6] },
        6: { reads: [], calls: [7] },
        7: REAL[3] as Seen,
      },
    ],
    ['functions call each other', { [OPEN]: { reads: [], calls: [WRITE] }, [WRITE]: { reads: [], calls: [OPEN] } }],
  ] as [string, Readonly<Record<number, Seen>>][])('is not told when %s', (_, functions) => {
    expect(find(functions)).toBeUndefined();
  });

  it('is where the symbols of android-libboringssl have it: 16 bytes before the handshake', (context) => {
    const path = debianFile(context, '/usr/lib/x86_64-linux-gnu/android/libssl.so.0', 'android-libboringssl');
    const source = openFileSource(path);
    const answer = source.ok ? readImage(source.value) : undefined;
    if (!source.ok || !answer?.ok) throw new Error(`${path} is not readable`);
    const found = findBoringSsl(answer.image);
    // SSL_in_early_data reads the handshake at [[ssl+0x30]+0x110].
    expect(found.kind === 'found' && found.copies.map((copy) => copy.cipher)).toEqual([[0x30, 0x100, 0, 0x10]]);
    source.value.close();
  });
});
