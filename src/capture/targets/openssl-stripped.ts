// OpenSSL 1.1.1 or 3 without symbols, linked into a program or an addon: found by its error sites (discover/openssl), else named.

import type { ProgramImage } from '../discover/image.ts';
import { findStaticOpenSsl } from '../discover/openssl/find.ts';
import { opensslVersion } from '../discover/strings.ts';
import { type HookSpec, hookAt } from './hooks.ts';
import { hooksOfFound } from './openssl-found.ts';
import type { TlsFinding, TlsTarget } from './target.ts';

/** Asked after `openssl`: where there are symbols, these decide. */
export const opensslStripped: TlsTarget = { name: 'openssl-stripped', inspect };

function inspect(image: ProgramImage): readonly TlsFinding[] {
  if (!image.anchors().has('opensslLib')) return [];
  const version = opensslVersion(image.elf, image.anchors());
  const { found, ...rest } = findStaticOpenSsl(image);
  const free: HookSpec = { symbol: 'SSL_METHOD.ssl_free', role: 'free' };
  const hooks = found === undefined ? [] : [...hooksOfFound(image, found), ...hookAt(image.elf, free, found.free)];
  const names = hooks.map((hook) => hook.symbol).join(', ');
  return [
    {
      library: 'openssl',
      linkage: 'static',
      ...(version !== undefined && { version }),
      hooks,
      confidence: 'high',
      reason:
        hooks.length > 0 ? `${names} by code references` : 'openssl: no symbols, and its functions were not found',
      evidence: ['source path ssl/ssl_lib.c', ...('why' in rest ? [rest.why] : [])],
    },
  ];
}
