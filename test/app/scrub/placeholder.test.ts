import { expect, it } from 'vitest';
import { createPlaceholderMask } from '../../../src/app/scrub/placeholder.ts';
import { maskText } from '../../../src/privacy/index.ts';

const shape = (text: string): string => text.replace(/[a-z]/g, 'a').replace(/[A-Z]/g, 'A').replace(/\d/g, '0');

it.each([
  ['github-token', 'ghp_a8Kd03jfLs92mXq1Zt7Rw5Vb6Nc4Ye0Uh3Gi', 4],
  ['secret', 'hunter2-Passw0rd!', 0],
  ['aws-key', 'AKIAQ7ZKX2M4N5P6R8T9', 4],
])('%s: same length, shape and prefix, other characters', (kind, secret, prefix) => {
  const { mask } = createPlaceholderMask(maskText);
  const placeholder = mask(secret, kind);
  expect(shape(placeholder)).toBe(shape(secret));
  expect(placeholder.slice(0, prefix)).toBe(secret.slice(0, prefix));
  expect(placeholder).not.toBe(secret);
  expect(mask(secret, kind)).toBe(placeholder);
  expect(mask(placeholder, kind)).toBe(placeholder);
  expect(createPlaceholderMask(maskText).mask(secret, kind)).not.toBe(placeholder);
});

it('keeps what a Copilot token says about its plan', () => {
  const { mask } = createPlaceholderMask(maskText);
  const token = mask('tid=9c1e7b3a5d2f4e60;exp=1772373909;sku=free;rt=1:4f1c9e7a3b5d2068', 'copilot-token');
  expect(token).toMatch(/^tid=[0-9a-z]{16};exp=1772373909;sku=free;rt=1:[0-9a-z]{16}$/);
  expect(token).not.toContain('9c1e7b3a');
});

it('changes what is inside of base64, percent-encoding and escapes, so that it is still found there', () => {
  const { mask } = createPlaceholderMask(maskText);
  const token = 'ghp_a8Kd03jfLs92mXq1Zt7Rw5Vb6Nc4Ye0Uh3Gi';
  const base64 = mask(Buffer.from(`user:${token}`).toString('base64'), 'encoded-secret');
  expect(Buffer.from(base64, 'base64').toString()).toMatch(/^user:ghp_\w{36}$/);
  const percent = mask(encodeURIComponent(`"${token}"`), 'encoded-secret');
  expect(decodeURIComponent(percent)).toMatch(/^"ghp_\w{36}"$/);
  expect(base64 + percent).not.toContain(token.slice(4, 12));
});
