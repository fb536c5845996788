import { expect, it } from 'vitest';
import { createKeptRules } from '../../src/app/kept-rules.ts';

const kept = createKeptRules();

it('gives range and kind of what secretlint finds, in this project’s names', () => {
  const text = 'x glpat-K7f2mXw9Qz3Ls8Tn4Vb1 y';
  expect(kept(text)).toEqual([{ kind: 'gitlab-token', start: 2, end: 28 }]);
});

it('cannot be switched off by a comment in the text', () => {
  const text = '/* secretlint-disable */ glpat-K7f2mXw9Qz3Ls8Tn4Vb1';
  expect(kept(text)).toHaveLength(1);
});

it('remembers nothing from one text to the next', () => {
  kept('glpat-K7f2mXw9Qz3Ls8Tn4Vb1');
  expect(kept('nothing here')).toEqual([]);
});
