import { describe, expect, it } from 'vitest';
import { findRead } from '../../../../src/capture/discover/boringssl/find-read.ts';
import { Functions } from '../../../../src/capture/discover/code/functions.ts';
import { machineX86 } from '../../../../src/capture/discover/code/machine-x86.ts';
import { tinyImage } from '../tiny-elf.ts';
import { CONSUME, COPY, sequence, sitedOf } from './traces.ts';

const elf = tinyImage({});
const none = (): Functions => new Functions(elf, machineX86(elf));
const HANDSHAKE = sitedOf(1, [[10, 134]]);
const WRITE = sitedOf(9, [[100, 66]]);

/** The sequence is 134, 66 of SSL_peek, 66 of SSL_write: the last is at index 2. */
const answer = (...holders: ReturnType<typeof sitedOf>[]) =>
  findRead(sequence(HANDSHAKE, ...holders, WRITE), 2, none());

describe('SSL_read', () => {
  it('is the holder of SSL_peek’s site that consumes what it copied', () => {
    const found = answer(sitedOf(2, [[90, 66]], CONSUME), sitedOf(3, [[90, 66]], COPY)).found;
    expect(found).toMatchObject({ entry: 2, isComplete: true });
  });

  it('is not complete when an application function has it inlined', () => {
    const found = answer(sitedOf(2, [[90, 66]], CONSUME), sitedOf(3, [[90, 66]])).found;
    expect(found).toMatchObject({ entry: 2, isComplete: false });
    expect(found?.note).toContain('inlined into 1');
  });

  it('does not have sites of functions before SSL_do_handshake', () => {
    const odd = sitedOf(
      2,
      [
        [90, 66],
        [5, 182],
      ],
      CONSUME,
    );
    expect(findRead(sequence(odd, HANDSHAKE, WRITE), 3, none()).found).toBeUndefined();
  });

  it('is not guessed when two functions fit, or the site is missing', () => {
    expect(answer(sitedOf(2, [[90, 66]], CONSUME), sitedOf(3, [[90, 66]], CONSUME)).found).toBeUndefined();
    expect(findRead(sequence(HANDSHAKE, WRITE), 1, none()).found).toBeUndefined();
  });

  it('is not taken for SSL_peek when nobody calls that', () => {
    expect(answer(sitedOf(3, [[90, 66]], COPY))).toMatchObject({ why: 'SSL_read: 0 callers of SSL_peek fit' });
  });
});
