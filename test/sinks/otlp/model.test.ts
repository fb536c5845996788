import { expect, test } from 'vitest';
import { keyValues } from '../../../src/sinks/otlp/model.ts';

test('values have the type that they are of; what is not known is left out', () => {
  expect(keyValues({ a: 'x', b: 3, c: 0.5, d: true, e: ['y'], f: undefined, g: null })).toEqual([
    { key: 'a', value: { stringValue: 'x' } },
    { key: 'b', value: { intValue: '3' } },
    { key: 'c', value: { doubleValue: 0.5 } },
    { key: 'd', value: { boolValue: true } },
    { key: 'e', value: { arrayValue: { values: [{ stringValue: 'y' }] } } },
  ]);
});

test('a text of more than 64,000 characters is cut and says how long it was', () => {
  const [{ value } = { value: { stringValue: '' } }] = keyValues({ a: 'x'.repeat(70_000) });
  expect(value.stringValue).toBe(`${'x'.repeat(64_000)}…[cut, 70000 characters]`);
});
