import fc from 'fast-check';
import { expect, test } from 'vitest';
import { safeJson } from '../../src/sinks/index.ts';

test('JSON holds no raw control or bidirectional character, in keys and values, and means the same', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'é', '\\', '"', '\u001b', '\u007f', '\u0085', '\u009f', '\u202e', '\u2069'),
  });
  fc.assert(
    fc.property(fc.dictionary(text, fc.array(text)), (value) => {
      const json = safeJson(value);
      expect(json).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
  expect(safeJson(['\u009b'], 2)).toBe('[\n  "\\u009b"\n]');
});
