import { expect, it } from 'vitest';
import { endOfKey, maskPrivateKeys } from '../../src/privacy/private-keys.ts';

const mask = (secret: string, kind: string): string => `<${kind} ${secret.length}>`;
const block = (label: string): string => `-----BEGIN ${label}-----\nAAAA\n-----END ${label}-----`;

it('replaces each block from its begin line to its end line', () => {
  const text = `a ${block('RSA PRIVATE KEY')} b ${block('PGP PRIVATE KEY BLOCK')} c`;
  expect(maskPrivateKeys(text, mask)).toBe('a <private-key 66> b <private-key 78> c');
});

it('replaces a block that is cut up to the end', () => {
  expect(maskPrivateKeys('a -----BEGIN PRIVATE KEY-----\nAAAA', mask)).toBe('a <private-key 32>');
});

it('leaves public things alone', () => {
  const text = `${block('CERTIFICATE')} ${block('PUBLIC KEY')}`;
  expect(maskPrivateKeys(text, mask)).toBe(text);
});

it('finds the end of a block behind a given place', () => {
  expect(endOfKey('x-----END PRIVATE KEY-----y', 0)).toBe(26);
  expect(endOfKey('x-----END PRIVATE', 0)).toBe(-1);
});
