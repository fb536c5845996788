import { expect, test } from 'vitest';
import { block, line, whole } from '../../../src/app/conversations/block.ts';
import { painter } from '../../../src/sinks/index.ts';

const style = { paint: painter(false), indent: 2, maxLines: 3 };

test('a text stands at the right of its label, cut by lines, and says what was not kept', () => {
  expect(block('says', { text: 'a\nb\nc\nd\ne', chars: 1009 }, style)).toEqual([
    '  says       a',
    '             b',
    '             c',
    '             … 2 more lines',
    '             … 1,000 more characters not kept',
  ]);
});

test('control characters of captured text are shown, not sent to the terminal', () => {
  expect(block('says', whole('a\u001b[2Jb\u202e'), style)).toEqual(['  says       a␛[2Jb<U+202E>']);
  expect(line('tool', 'a\r\n b\u0007', style)).toEqual(['  tool       a b␇']);
});
