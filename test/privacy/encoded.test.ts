import { describe, expect, it } from 'vitest';
import { maskEncoded, percentDecoded } from '../../src/privacy/encoded.ts';

const mask = (_: string, kind: string): string => `<${kind}>`;
const seek = (text: string): boolean => text.includes('CANARY');
const masked = (text: string): string => maskEncoded(text, mask, seek);

describe('a run that decodes to a secret is replaced as a whole', () => {
  it('percent-encoded, up to the delimiters around it', () => {
    expect(masked('/p?a=x%20CAN%41RY%2F&b=%41')).toBe('/p?a=<encoded-secret>&b=%41');
  });

  it('with JSON escapes, at any depth of escaping', () => {
    expect(masked('say "\\u0043ANARY" or \\\\u0043ANARY.')).toBe('say "<encoded-secret>" or <encoded-secret>');
  });

  it('base64 and base64url, at any alignment', () => {
    for (const before of ['', 'a', 'ab', 'abc']) {
      const run = before + Buffer.from('some text with CANARY in it').toString('base64');
      expect(masked(`x ${run} y`)).toBe('x <encoded-secret> y');
    }
    const url = Buffer.from('ÿþ~~ CANARY ~~~ and more').toString('base64url');
    expect(masked(url)).toBe('<encoded-secret>');
  });
});

it('leaves other encoded text alone', () => {
  const text = `100% %zz %41 \\u0041 ${Buffer.from('nothing to see in this text').toString('base64')}`;
  expect(masked(text)).toBe(text);
});

it('decodes what is valid and keeps what is not', () => {
  expect(percentDecoded('%41%zz%E2%9C%93%')).toBe('A%zz✓%');
  expect(percentDecoded('%ff')).toBe('\ufffd');
});
