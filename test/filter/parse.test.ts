import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFilter, isMistake } from '../../src/filter/index.ts';
import { call, plainCall } from '../sinks/events.ts';

/** Whether the sample call (a chat completion with status 200) is wanted. */
function wants(text: string, event = call()): boolean {
  const filter = createFilter(text);
  if (isMistake(filter)) throw new Error(`${filter.what} at ${filter.column}`);
  return filter.accepts(event);
}

describe('a filter', () => {
  test.each([
    ['class:chat.*', true],
    ['class:chat', false],
    ['CLASS:CHAT.*', true],
    ['class=chat.completions', true],
    ['class=Chat.Completions', false],
    ['class!=chat.completions', false],
    ['model~gpt', true],
    ['model~^gpt-4\\.1$', true],
    ['model!~claude', true],
    ['status>=400', false],
    ['status:2xx', true],
    ['status<300 status>199', true],
    ['host:api.githubcopilot.com', true],
    ['host:*.com', true],
    ['path:/chat/*', true],
    ['tokens.input>8000', true],
    ['tokens.input>15.4k', false],
    ['tokens>15k', true],
    ['duration>4s', true],
    ['duration<4.3s', false],
    ['ttft<1m', true],
    ['bytes.out>=68k', true],
    ['bytes.out>1M', false],
    ['body~"rename\\s+foo"', true],
    ['body:"rename foo"', true],
    ['text:tests', true],
    ['prompt:tests', false],
    ['tool:read_*', true],
    ['header.content-type:text/event-stream', true],
    ['header~"^content-type: application/json$"', true],
    ['pid:4242', true],
    ['finish:tool_calls', true],
    ['githubcopilot', true],
    ['"nothing like it"', false],
    ['not status:200', false],
    ['!status:200', false],
    ['-status:200', false],
    ['not not status:200', true],
    ['status:500 or status:200', true],
    ['status:500 | model~gpt', true],
    ['status:500 || class:chat.*', true],
    ['status:200 and model~claude', false],
    ['status:200 & model~gpt', true],
    ['status:200 && model~gpt', true],
    ['status:500 or status:200 model~claude', false],
    ['(status:500 or status:200) model~gpt', true],
    ['-(status:500 or model~claude)', true],
    ['path~/chat/(completions|x)', true],
    ['(path~/chat/(completions|x))', true],
    ['orange or host:api*', true],
    ['(model~"gpt" )', true],
    ['not class:"(("', true],
  ])('%s → %s', (text, expected) => {
    expect(wants(text)).toBe(expected);
  });

  test('a call without a model is wanted by what denies one', () => {
    expect(wants('not model~gpt', plainCall())).toBe(true);
    expect(wants('model~gpt', plainCall())).toBe(false);
    expect(wants('tokens.input<10', plainCall())).toBe(false);
  });

  test.each([
    ['', 'expected a condition', 1],
    ['   ', 'expected a condition', 4],
    ['clas:chat.*', 'unknown field clas (did you mean class?)', 1],
    ['class:chat colour:red', 'unknown field colour', 12],
    ['status>=', 'expected a value after status>=', 9],
    ['status>=abc', 'expected a number like 8000 or 8k', 9],
    ['duration>5h', 'expected a number like 800ms, 1.5s or 2m', 10],
    ['bytes.in>1q', 'expected a number like 4096, 64k or 1M', 10],
    ['model>4', '> compares numbers; this field is text, use : = or ~', 7],
    ['status~4', '~ searches text; this field is a number', 8],
    ['(class:x', 'missing )', 1],
    ['class:x)', 'unmatched )', 8],
    ['body~"abc', 'missing "', 6],
    ['body~a(b', 'missing )', 7],
    ['class:((', '( inside a word: quote the word', 7],
    ['status:200 class:(a)', '( inside a word: quote the word', 18],
    ['(class:x or so(me)', '( inside a word: quote the word', 15],
    ['class:a\\)', ') inside a word: quote the word', 9],
    ['body~"x(?=y)"', 'look-around and flags are not supported', 8],
    ['class:x and', 'expected a condition', 12],
    ['or class:x', 'expected a condition', 1],
    ['not', 'expected a condition', 4],
    ['""', 'nothing to search for', 2],
    [`${'('.repeat(200)}a`, 'nested too deeply', 101],
    ['x'.repeat(5_000), 'longer than 4000 characters', 4_001],
  ])('%s is refused: %s at column %i', (text, what, column) => {
    const mistake = createFilter(text);
    expect(isMistake(mistake) ? [mistake.what, mistake.column] : 'no mistake').toEqual([what, column]);
  });

  test('a mistake is marked where it is', () => {
    expect(createFilter('class:chat.* colour:red')).toMatchObject({ marked: 'class:chat.* ▸colour:red' });
  });

  test('any text is a filter or a mistake, never an exception', () => {
    const pieces = fc.constantFrom(
      'class',
      'status',
      ':',
      '~',
      '>',
      '=',
      '!',
      '(',
      ')',
      '"',
      ' ',
      'or',
      'and',
      'not',
      'a*',
      '[',
      '\\',
      '-',
      '4',
      '{2}',
      '|',
      '&',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
        const filter = createFilter(parts.join(''));
        if (isMistake(filter)) expect(filter.column).toBeGreaterThan(0);
        else filter.accepts(call());
      }),
      { numRuns: 2_000 },
    );
  });
});
