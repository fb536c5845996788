import { expect, it } from 'vitest';
import { SINKS } from '../../src/sinks/index.ts';

it('has exactly one sink that is used without being asked for, and one flag per other sink', () => {
  expect(SINKS.filter((sink) => sink.flag === null).map((sink) => sink.name)).toEqual(['terminal']);
  const flags = SINKS.map((sink) => sink.flag);
  expect(new Set(flags).size).toBe(flags.length);
});

it('describes every sink and option in words that begin like help text', () => {
  const texts = SINKS.flatMap((sink) => [sink, ...sink.options]).map((row) => row.description);
  for (const text of texts) expect(text).toMatch(/^[a-z].*[^.]$/);
});
