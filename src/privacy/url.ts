// URLs and request targets: user information, secret parameters of query and fragment, secrets in any other part.

import { percentDecoded } from './encoded.ts';
import type { Mask } from './fingerprint.ts';
import { isSecretParameter } from './names.ts';
import { maskText } from './text.ts';
import { kindOfSecret } from './token-rules.ts';

const PARAMETER = /([?&;#])([^=?&;#]{1,256})=([^&;#]+)/g;

/** True when the name promises a secret or the decoded value has one in it. */
const isSecret = (name: string, decoded: string, mask: Mask): boolean =>
  isSecretParameter(percentDecoded(name)) || maskText(decoded, mask) !== decoded;

/** User information where no scheme stands before it: of an authority (`Host`, `CONNECT`). */
const AUTHORITY_USER_INFO = /^([^\s/?#@:]{0,128}:[^\s/?#@]{1,256})@/;

/** A URL, an authority or a request target (path and query). Parameters first: names and values are encoded there. */
export function maskUrl(url: string, mask: Mask): string {
  const withoutUser = url.replace(AUTHORITY_USER_INFO, (_, secret: string) => `${mask(secret, 'user-info')}@`);
  const withoutParameters = withoutUser.replace(PARAMETER, (whole, before: string, name: string, value: string) => {
    const decoded = percentDecoded(value.replaceAll('+', ' '));
    return isSecret(name, decoded, mask) ? `${before}${name}=${mask(decoded, kindOfSecret(decoded))}` : whole;
  });
  return maskText(withoutParameters, mask);
}
