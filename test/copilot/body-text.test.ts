import { describe, expect, it } from 'vitest';
import { BodyText } from '../../src/copilot/body-text.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('BodyText', () => {
  it('joins characters that are cut between pieces', () => {
    const body = new BodyText(100, { leftBytes: 100 });
    const all = bytes('aé€😀');
    for (let at = 0; at < all.length; at += 1) body.add(all.subarray(at, at + 1));
    expect(body.text).toBe('aé€😀');
    expect(body.note('body')).toBeUndefined();
  });

  it('keeps up to its limit and counts on', () => {
    const body = new BodyText(4, { leftBytes: 100 });
    body.add(bytes('abc'));
    body.add(bytes('def'));
    body.add(bytes('ghi'));
    expect(body.text).toBe('abcd');
    expect(body.seenBytes).toBe(9);
    expect(body.note('body')).toBe('body kept to 4 of 9 bytes: limit of one body');
  });

  it('takes from the common budget and gives back once', () => {
    const budget = { leftBytes: 5 };
    const [first, second] = [new BodyText(100, budget), new BodyText(100, budget)];
    first.add(bytes('abc'));
    second.add(bytes('defg'));
    expect(second.note('body')).toBe('body kept to 2 of 4 bytes: limit of all open bodies');
    expect(budget.leftBytes).toBe(0);
    first.release();
    first.release();
    second.release();
    expect(budget.leftBytes).toBe(5);
  });

  it('adds nothing behind a hole', () => {
    const body = new BodyText(100, { leftBytes: 100 });
    body.add(bytes('abc'));
    body.hole();
    body.add(bytes('def'));
    expect(body.text).toBe('abc');
    expect(body.note('body')).toBe('body kept up to a hole at byte 3');
  });
});
