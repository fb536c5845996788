// OpenSSL 1.1.1 or 3 without symbols, linked into a program or an addon: found by its error sites (discover/openssl), else named.

import type { ProgramImage } from '../discover/image.ts';
import { findStaticOpenSsl } from '../discover/openssl/find.ts';
import { libresslVersion, opensslVersion } from '../discover/strings.ts';
import { completeness, freeOfFound, hooksOfFound } from './openssl-found.ts';
import type { TlsFinding, TlsTarget } from './target.ts';
import { HOW_TO_SUPPLY } from './unhooked.ts';

/** Asked after `openssl`: where there are symbols, these decide. */
export const opensslStripped: TlsTarget = { name: 'openssl-stripped', inspect };

function inspect(image: ProgramImage): readonly TlsFinding[] {
  const anchors = image.anchors();
  if (anchors.has('libresslVersion')) return [libressl(image)];
  if (!anchors.has('opensslLib')) return [];
  const version = opensslVersion(image.elf, anchors);
  const { found, why } = findStaticOpenSsl(image);
  const hooks = found === undefined ? [] : [...hooksOfFound(image, found), ...freeOfFound(image, found)];
  const names = hooks.map((hook) => hook.symbol).join(', ');
  return [
    {
      library: 'openssl',
      linkage: 'static',
      ...(version !== undefined && { version }),
      hooks,
      confidence: 'high',
      reason: hooks.length > 0 ? `${names} by code references` : `openssl: ${NOT_FOUND}`,
      evidence: ['source path ssl/ssl_lib.c', found === undefined ? why : completeness(found)],
    },
  ];
}

const NOT_FOUND = `it has no symbols, and the search in its code was not conclusive; ${HOW_TO_SUPPLY}`;

/** Its error sites have no names, and its functions other shapes. */
function libressl(image: ProgramImage): TlsFinding {
  const version = libresslVersion(image.elf, image.anchors());
  return {
    library: 'libressl',
    linkage: 'static',
    ...(version !== undefined && { version }),
    hooks: [],
    confidence: 'high',
    reason: `libressl: it has no symbols; ${HOW_TO_SUPPLY}`,
    evidence: ['version text of LibreSSL'],
  };
}
