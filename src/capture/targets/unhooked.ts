// TLS libraries that are recognised and named, but not hooked: silence about them would look like "no traffic".

import type { ProgramImage } from '../discover/image.ts';
import type { AnchorName } from '../discover/strings.ts';
import type { TlsFinding, TlsLibrary, TlsTarget } from './target.ts';

/** Ends the reason of a library that was recognised and not found: what a person can do. */
export const HOW_TO_SUPPLY = 'name its functions with --symbols or --offset (docs/discovery.md)';

const unhooked = (
  library: TlsLibrary,
  linkage: 'shared' | 'static',
  evidence: string,
  version?: string,
): readonly TlsFinding[] => [
  {
    library,
    linkage,
    ...(version !== undefined && { version }),
    hooks: [],
    confidence: 'high',
    reason: `${library}: not supported`,
    evidence: [evidence],
  },
];

const bySoname = (library: TlsLibrary, soname: RegExp, symbol: string): TlsTarget => ({
  name: library,
  inspect: ({ dynamic }) => {
    const isNamed = soname.test(dynamic.soname ?? '');
    if (!isNamed && dynamic.lookup(symbol) === undefined) return [];
    return unhooked(library, isNamed ? 'shared' : 'static', isNamed ? `soname ${dynamic.soname}` : `defines ${symbol}`);
  },
});

export const gnutls = bySoname('gnutls', /^libgnutls\.so/, 'gnutls_record_send');
export const nss = bySoname('nss', /^libssl3\.so$/, 'SSL_ImportFD');

const textAt = (image: ProgramImage, anchor: AnchorName): string | undefined => {
  const at = image.anchors().get(anchor)?.[0];
  return at === undefined ? undefined : image.elf.reader.text(at);
};

/** Panic messages keep source paths (`…/rustls-0.23.12/src/…`), log records the module's name. */
export const rustls: TlsTarget = {
  name: 'rustls',
  inspect: (image) => {
    const path = textAt(image, 'rustlsPath');
    const version = /^rustls-(\d+\.\d+\.\d+)/.exec(path ?? '')?.[1];
    if (version !== undefined) return unhooked('rustls', 'static', `source path rustls-${version}`, version);
    return textAt(image, 'rustlsModule') === undefined
      ? []
      : unhooked('rustls', 'static', 'module name rustls::client');
  },
};

/** The runtime keeps its function names even in stripped programs. */
export const goTls: TlsTarget = {
  name: 'go-tls',
  inspect: (image) => {
    const isGo = image.anchors().has('goBuildInfo') && image.anchors().has('goTls');
    return isGo ? unhooked('go-tls', 'static', 'Go build information and crypto/tls.(*Conn)') : [];
  },
};
