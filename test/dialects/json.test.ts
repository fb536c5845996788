import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEEP_MARK, MAX_JSON_DEPTH, readJson } from '../../src/dialects/json.ts';

describe('readJson', () => {
  it('reads whole JSON like JSON.parse', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 20 }), (text) => {
        expect(readJson(text)).toEqual({ value: JSON.parse(text), whole: true });
      }),
    );
  });

  it('keeps what precedes a cut', () => {
    const cut = (text: string) => readJson(text).value;
    expect(cut('{"a":1,"b":[1,2,{"c":"tex')).toEqual({ a: 1, b: [1, 2, { c: 'tex' }] });
    expect(cut('{"a":1,"b')).toEqual({ a: 1 });
    expect(cut('{"a":1,"b":')).toEqual({ a: 1 });
    expect(cut('{"a":tru')).toEqual({});
    expect(cut('{"a":"x\\u00e')).toEqual({ a: 'x' });
    expect(cut('{"a":"x\\')).toEqual({ a: 'x' });
    expect(cut('')).toBeUndefined();
  });

  it('drops a number that the end cuts, since it may have gone on', () => {
    expect(readJson('{"a":12').value).toEqual({});
    expect(readJson('{"a":12,').value).toEqual({ a: 12 });
  });

  it('stops at damage and says that the text was not whole', () => {
    expect(readJson('{"a":1,"b":?,"c":2}')).toEqual({ value: { a: 1 }, whole: false });
    expect(readJson('{"a":1} trailing')).toEqual({ value: { a: 1 }, whole: false });
    expect(readJson('{"a":[1}')).toEqual({ value: { a: [1] }, whole: false });
  });

  it('gives a prefix of the value for every cut of valid JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.nat(), (value, at) => {
        const text = JSON.stringify(value);
        const cut = text.slice(0, at % text.length);
        const read = readJson(cut);
        expect(() => JSON.stringify(read.value)).not.toThrow();
        if (typeof value === 'string' && cut.length > 0 && !text.includes('\\')) {
          expect(value.startsWith(String(read.value))).toBe(true);
        }
      }),
    );
  });

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.json(), fc.nat(), (noise, json, at) => {
        const where = at % (json.length + 1);
        expect(() => readJson(json.slice(0, where) + noise + json.slice(where))).not.toThrow();
        expect(() => readJson(noise)).not.toThrow();
      }),
    );
  });

  it('bounds the depth of whole and of cut JSON of 100 000 levels', () => {
    const open = '[{"a":'.repeat(50_000);
    const whole = `${open}1${'}]'.repeat(50_000)}`;
    for (const text of [whole, open, `{"x":${whole},"y":2`]) {
      const { value } = readJson(text);
      expect(JSON.stringify(value)).toContain(DEEP_MARK);
      expect(JSON.stringify(value).split('{"a":').length).toBeLessThanOrEqual(MAX_JSON_DEPTH);
    }
    expect(readJson(`{"x":${whole},"y":2,`).value).toMatchObject({ y: 2 });
  });

  it('reads a cut text of many escapes in linear time and memory', () => {
    const { value, whole } = readJson(`["${'\\n'.repeat(1_000_000)}`);
    expect(whole).toBe(false);
    expect((value as string[])[0]).toHaveLength(1_000_000);
  });

  it('takes __proto__ for an ordinary member', () => {
    const { value } = readJson('{"__proto__":{"polluted":1},"a":');
    expect(Object.keys(value as object)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
