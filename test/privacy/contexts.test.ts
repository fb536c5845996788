import { describe, expect, it } from 'vitest';
import { maskByContext, maskCookies, maskCredential } from '../../src/privacy/contexts.ts';

const mask = (secret: string, kind: string): string => `<${kind} #${secret.length.toString(16).padStart(8, '0')}>`;

describe('credentials', () => {
  it('keep a known scheme only: an unknown word may be part of the secret', () => {
    expect(maskCredential('Bearer abc', mask)).toBe('Bearer <secret #00000003>');
    expect(maskCredential('correct horse', mask)).toBe('<secret #0000000d>');
    expect(maskCredential('Basic YTpi', mask)).toBe('Basic <credentials #00000004>');
  });

  it('are not replaced twice', () => {
    const once = maskCredential('token gho_abc', mask);
    expect(maskCredential(once, mask)).toBe(once);
  });
});

describe('cookies', () => {
  it('keep names, and attributes where a server sets them', () => {
    expect(maskCookies('a=1; Path=/', true, mask)).toBe('a=<cookie #00000001>; Path=/');
    expect(maskCookies('a=1; Path=/', false, mask)).toBe('a=<cookie #00000001>; Path=<cookie #00000001>');
  });
});

describe('text', () => {
  it('is the same when it is searched again', () => {
    const texts = [
      'password="a b"',
      'Authorization: Bearer abc123def',
      'Cookie: a=1; b=2',
      'https://u:p@h/?token=abc1',
      'curl -u a:b',
    ];
    for (const text of texts) {
      const once = maskByContext(text, mask);
      expect(once).toContain('#0000');
      expect(maskByContext(once, mask)).toBe(once);
    }
  });

  it('keeps the challenge of a server', () => {
    expect(maskByContext('Bearer realm="github", error="invalid_token"', mask)).toBe(
      'Bearer realm="github", error="invalid_token"',
    );
  });

  it('takes the value of a shell variable for a literal, that of code for an expression', () => {
    expect(maskByContext('API_KEY=changeme', mask)).toBe('API_KEY=<secret #00000008>');
    expect(maskByContext('const apiKey = changeme;', mask)).toBe('const apiKey = changeme;');
  });
});

describe('a value behind its name', () => {
  const shown = (text: string): string => maskByContext(text, (_, kind) => `<${kind} #00000000>`);

  it('is found through six levels of JSON inside JSON', () => {
    let text = 'password="aB3dEf"';
    for (let level = 1; level <= 6; level++) {
      text = JSON.stringify({ a: text });
      expect({ level, text: shown(text) }).toEqual({ level, text: text.replace('aB3dEf', '<secret #00000000>') });
    }
  });

  it('is found when the name is an index', () => {
    expect(shown(`process.env['API_TOKEN'] = 'aB3dEf';`)).toBe(`process.env['API_TOKEN'] = '<secret #00000000>';`);
  });

  it('is found in the first field of a form', () => {
    expect(shown('code=abcd-1234&client_id=x')).toBe('code=<secret #00000000>&client_id=x');
    expect(shown('pass=word')).toBe('pass=<secret #00000000>');
    expect(shown('code=abcd and so on')).toBe('code=abcd and so on');
  });
});
