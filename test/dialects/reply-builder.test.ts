import { describe, expect, it } from 'vitest';
import { MAX_REPLY_CHARS, ReplyBuilder } from '../../src/dialects/reply-builder.ts';

describe('ReplyBuilder', () => {
  it('drops pieces beyond the limit of one answer and says how many', () => {
    const reply = new ReplyBuilder();
    const piece = 'x'.repeat(MAX_REPLY_CHARS / 4);
    for (let at = 0; at < 6; at += 1) reply.addText(0, piece);
    const built = reply.build(true);
    expect(built.text).toHaveLength(MAX_REPLY_CHARS);
    expect(built.other).toEqual([{ type: 'limit', json: { piecesDropped: 2 } }]);
  });

  it('bounds choices and notes', () => {
    const reply = new ReplyBuilder();
    for (let at = 0; at < 500; at += 1) reply.addText(at, 'a');
    for (let at = 0; at < 5000; at += 1) reply.note('n', at);
    const built = reply.build(true);
    expect(built.alternatives).toHaveLength(127);
    expect(built.other).toHaveLength(1001);
  });

  it('keeps an alternative apart when the first choice said nothing', () => {
    const reply = new ReplyBuilder();
    reply.addText(2, 'b');
    expect(reply.build(false)).toMatchObject({ text: '', alternatives: ['b'], complete: false });
  });

  it('keeps the first error and bounds its message', () => {
    const reply = new ReplyBuilder();
    reply.fail('a', 'm'.repeat(100_000));
    reply.fail('b', 'later');
    expect(reply.build(true).error).toEqual({ code: 'a', message: 'm'.repeat(8192) });
  });
});
