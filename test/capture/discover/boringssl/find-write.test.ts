import { describe, expect, it } from 'vitest';
import { findWrite } from '../../../../src/capture/discover/boringssl/find-write.ts';
import { FORWARD, sequence, sitedOf } from './traces.ts';

type Sites = [number, number][];
const PATTERN: Sites = [
  [100, 66],
  [105, 226],
  [110, 215],
  [115, 111],
];
const OLD: Sites = [
  [100, 66],
  [105, 226],
  [108, 194],
  [110, 215],
];

describe('SSL_write', () => {
  it.each([
    ['today', PATTERN],
    ['before 2021', OLD],
  ])('is known by its error sites and its call of write_app_data (%s)', (_, sites) => {
    const answer = findWrite(sequence(sitedOf(7, sites, { calls: [FORWARD] }), sitedOf(8, [[50, 66]])));
    expect(answer.found).toEqual({
      entry: 7,
      methodOffset: 0x48,
      bufIndex: 3,
      lenIndex: 4,
      sequenceIndex: 1,
      isComplete: true,
    });
  });

  it('is not complete when another function has one of its sites: inlined there', () => {
    const answer = findWrite(sequence(sitedOf(7, PATTERN, { calls: [FORWARD] }), sitedOf(8, [[105, 226]])));
    expect(answer.found?.isComplete).toBe(false);
  });

  it('may have SSL_do_handshake inlined, but no other function', () => {
    const withSite = (reason: number) =>
      findWrite(sequence(sitedOf(7, [...PATTERN, [10, reason]], { calls: [FORWARD] })));
    expect(withSite(134).found?.entry).toBe(7);
    expect(withSite(182).found).toBeUndefined();
  });

  it.each([
    ['without the call', [sitedOf(7, PATTERN)]],
    ['without a site', [sitedOf(7, PATTERN.slice(1), { calls: [FORWARD] })]],
    ['spread over too many lines', [sitedOf(7, [...PATTERN.slice(0, 3), [400, 111]], { calls: [FORWARD] })]],
    ['twice', [sitedOf(7, PATTERN, { calls: [FORWARD] }), sitedOf(8, PATTERN, { calls: [FORWARD] })]],
  ])('is not guessed %s', (_, functions) => {
    const answer = findWrite(sequence(...functions));
    expect(answer.found).toBeUndefined();
    expect(answer).toHaveProperty('why');
  });
});
