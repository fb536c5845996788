// URLs and request targets: user information, secret parameters of query and fragment, secrets in any other part.

import { percentDecoded } from './encoded.ts';
import type { Mask } from './fingerprint.ts';
import { isSecretParameter } from './names.ts';
import { maskText } from './text.ts';
import { kindOfSecret } from './token-rules.ts';

/** One `name=value`; replaced when the name says so or when the decoded value holds a secret. */
function maskParameter(pair: string, mask: Mask): string {
  const equals = pair.indexOf('=');
  if (equals < 0) return maskText(pair, mask);
  const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)];
  if (value === '') return pair;
  const decoded = percentDecoded(value.replaceAll('+', ' '));
  const isSecret = isSecretParameter(percentDecoded(name)) || maskText(decoded, mask) !== decoded;
  return `${maskText(name, mask)}=${isSecret ? mask(decoded, kindOfSecret(decoded)) : value}`;
}

const maskParameters = (text: string, mask: Mask): string =>
  text.replace(/[^&;]+/g, (pair) => maskParameter(pair, mask));

/** A URL or a request target (path and query). */
export function maskUrl(url: string, mask: Mask): string {
  const [, before = '', query, fragment] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url) ?? [];
  const head = maskText(before, mask);
  const tail = [query, fragment].map((part) =>
    part === undefined ? '' : part[0] + maskParameters(part.slice(1), mask),
  );
  return head + tail.join('');
}
