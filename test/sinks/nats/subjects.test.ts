import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { covers, escapeToken, kindOf, originOf, subjectOf, unescapeToken } from '../../../src/sinks/nats/subjects.ts';

describe('a subject', () => {
  test('holds any name of a machine and a user as one token each', () => {
    expect(subjectOf('build-7.example.org', 'ad*a >', 'call')).toBe(
      'tracer.v1.build-7%2Eexample%2Eorg.ad%2Aa%20%3E.call',
    );
    expect(subjectOf('', 'ä', 'sse')).toBe('tracer.v1.%.%C3%A4.sse');
  });

  test('gives the names back', () => {
    expect(originOf('tracer.v1.build-7%2Eexample.ada.call')).toEqual({ host: 'build-7.example', user: 'ada' });
    for (const foreign of ['tracer.v2.a.b.call', 'tracer.v1.a.b', 'tracer.v1.a.b.c.d', 'orders.new', '']) {
      expect(originOf(foreign)).toBeNull();
    }
  });

  test('any name comes back, and never holds what NATS gives a meaning', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(escapeToken(name)).toMatch(/^[A-Za-z0-9_%-]+$/);
        expect(unescapeToken(escapeToken(name))).toBe(name);
      }),
    );
  });

  test('a token that is no escaped name stays as it is', () => {
    expect(unescapeToken('100%')).toBe('100%');
  });

  test('says what kind of event it carries', () => {
    expect(['call', 'call.started', 'call.delta', 'summary', 'session', 'weather'].map(kindOf)).toEqual([
      'call',
      'call',
      'sse',
      'session',
      'session',
      'other',
    ]);
  });
});

test.each([
  ['tracer.v1.>', 'tracer.v1.>', true],
  ['>', 'tracer.v1.>', true],
  ['tracer.>', 'tracer.v1.>', true],
  ['tracer.*.>', 'tracer.v1.>', true],
  ['tracer.v1.*.*.*', 'tracer.v1.>', false],
  ['tracer.v1.*.*.*', 'tracer.v1.a.b.call', true],
  ['tracer.v1.*.*.sse', 'tracer.v1.a.b.call', false],
  ['tracer.v2.>', 'tracer.v1.>', false],
  ['tracer.v1', 'tracer.v1.>', false],
])('%s covers %s: %s', (pattern, subject, expected) => {
  expect(covers(pattern, subject)).toBe(expected);
});
