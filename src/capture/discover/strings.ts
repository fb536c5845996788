// The anchors that survive stripping: texts in the read-only data by which TLS libraries are recognised. One pass over all
// segments that are not code, for all libraries together, because reading 100 MB is what costs.

import { findAll } from './blocks.ts';
import type { ElfImage } from './elf.ts';

/** Needles by name. Ends with NUL where the text must end there (`ssl/ssl_lib.c` is OpenSSL's, `.cc` BoringSSL's). */
const NEEDLES = {
  boringSslLib: 'ssl/ssl_lib.cc\0',
  boringS3Pkt: 'ssl/s3_pkt.cc\0',
  opensslLib: 'ssl/ssl_lib.c\0',
  openssl1: 'OpenSSL 1.',
  openssl3: 'OpenSSL 3.',
  libressl: 'LibreSSL ',
  rustlsPath: '/rustls-0.',
  rustlsTarget: 'rustls::client',
  goBuildInfo: '\xff Go buildinf:',
  goTls: 'crypto/tls.(*Conn)',
} as const;

export type AnchorName = keyof typeof NEEDLES;

const NAMES = Object.keys(NEEDLES) as AnchorName[];
const BYTES = NAMES.map((name) => Buffer.from(NEEDLES[name], 'latin1'));

/** Rust programs repeat a path per panic site; a few thousand at most. */
const MAX_PLACES = 50_000;

/** File offsets of each anchor. */
export type Anchors = ReadonlyMap<AnchorName, readonly number[]>;

export function findAnchors(image: ElfImage): Anchors {
  const anchors = new Map<AnchorName, number[]>();
  for (const segment of image.segments.filter((s) => !s.isCode)) {
    const extent = { offset: segment.offset, sizeBytes: segment.fileBytes };
    for (const { at, needle } of findAll(image.reader.source, extent, BYTES, MAX_PLACES)) {
      const name = NAMES[needle];
      if (name === undefined) continue;
      const places = anchors.get(name) ?? [];
      places.push(at);
      anchors.set(name, places);
    }
  }
  return anchors;
}

/** The version behind a text such as `OpenSSL 3.0.19 27 Jan 2026`: real ones carry a date, mentions in messages do not. */
export function opensslVersion(image: ElfImage, anchors: Anchors): string | undefined {
  for (const at of [...(anchors.get('openssl3') ?? []), ...(anchors.get('openssl1') ?? [])]) {
    const match = /^OpenSSL (\d+\.\d+\.\d+[a-z]*\S*) +\d{1,2} \w{3} \d{4}/.exec(image.reader.text(at) ?? '');
    if (match?.[1] !== undefined) return match[1];
  }
  return undefined;
}
