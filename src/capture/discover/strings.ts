// The anchors that survive stripping: texts in the read-only data by which TLS libraries are recognised. One pass over all
// segments that hold data, for all libraries together, because reading 100 MB is what costs; a second pass looks for
// what matters only where the first found something.

import { findAll, type Occurrence } from './blocks.ts';
import { dataSegments, type ElfImage } from './elf.ts';

export type AnchorName =
  | 'boringSslLib'
  | 'boringS3Pkt'
  | 'opensslLib'
  | 'opensslVersion'
  | 'libresslVersion'
  | 'awsLc'
  | 'opensslRead'
  | 'opensslWrite'
  | 'opensslReadInternal'
  | 'opensslWriteInternal'
  | 'rustlsPath'
  | 'rustlsModule'
  | 'goBuildInfo'
  | 'goTls';

/** File offsets of each anchor. */
export type Anchors = ReadonlyMap<AnchorName, readonly number[]>;

interface Needle {
  readonly text: string;
  /** What the text with what follows it means; an empty answer where it is something else. */
  readonly meaning: (following: string) => AnchorName | undefined;
}

const exactly = (text: string, anchor: AnchorName): Needle => ({ text, meaning: () => anchor });

const FIRST: readonly Needle[] = [
  // The source file is .c in OpenSSL, .cc in BoringSSL.
  {
    text: 'ssl/ssl_lib.c',
    meaning: (rest) => (rest.startsWith('c\0') ? 'boringSslLib' : rest.startsWith('\0') ? 'opensslLib' : undefined),
  },
  { text: 'OpenSSL ', meaning: (rest) => (/^\d\.\d+\.\d/.test(rest) ? 'opensslVersion' : undefined) },
  { text: 'LibreSSL ', meaning: (rest) => (/^\d\.\d+\.\d/.test(rest) ? 'libresslVersion' : undefined) },
  {
    text: 'rustls',
    meaning: (rest) => (/^-0\.\d/.test(rest) ? 'rustlsPath' : rest.startsWith('::client') ? 'rustlsModule' : undefined),
  },
  exactly('\xff Go buildinf:', 'goBuildInfo'),
];

/** By the anchor that makes them worth a pass. OpenSSL 3 names the function at each error site: a whole text, so with the
 * NULs around it (the anchor is then the NUL in front). */
const SECOND: readonly (readonly [AnchorName, Needle])[] = [
  ['boringSslLib', exactly('ssl/s3_pkt.cc\0', 'boringS3Pkt')],
  // Amazon's fork of BoringSSL: its version text, or the folder that its sources are built in.
  ['boringSslLib', { text: 'AWS-LC ', meaning: (rest) => (/^(?:FIPS )?\d/.test(rest) ? 'awsLc' : undefined) }],
  ['boringSslLib', exactly('aws-lc/ssl/ssl_lib.cc\0', 'awsLc')],
  ['opensslLib', exactly('\0SSL_read\0', 'opensslRead')],
  ['opensslLib', exactly('\0SSL_write\0', 'opensslWrite')],
  ['opensslLib', exactly('\0ssl_read_internal\0', 'opensslReadInternal')],
  ['opensslLib', exactly('\0ssl_write_internal\0', 'opensslWriteInternal')],
  ['goBuildInfo', exactly('crypto/tls.(*Conn)', 'goTls')],
];

/** Rust programs repeat a path per panic site; a few thousand at most. */
const MAX_PLACES = 50_000;

/** Bytes that tell what an occurrence is. */
const FOLLOWING_BYTES = 16;

export function findAnchors(image: ElfImage): Anchors {
  const anchors = new Map<AnchorName, number[]>();
  search(image, FIRST, anchors);
  const more = SECOND.filter(([anchor]) => anchors.has(anchor)).map(([, needle]) => needle);
  if (more.length > 0) search(image, more, anchors);
  return anchors;
}

function search(image: ElfImage, needles: readonly Needle[], anchors: Map<AnchorName, number[]>): void {
  const bytes = needles.map(({ text }) => Buffer.from(text, 'latin1'));
  for (const segment of dataSegments(image)) {
    const extent = { offset: segment.offset, sizeBytes: segment.fileBytes };
    for (const occurrence of findAll(image.reader.source, extent, bytes, MAX_PLACES)) {
      note(image, needles, occurrence, anchors);
    }
  }
}

function note(
  image: ElfImage,
  needles: readonly Needle[],
  { at, needle: index }: Occurrence,
  anchors: Map<AnchorName, number[]>,
): void {
  const needle = needles[index];
  if (needle === undefined) return;
  const behind = at + needle.text.length;
  const room = Math.max(0, Math.min(FOLLOWING_BYTES, image.reader.source.sizeBytes - behind));
  const anchor = needle.meaning(Buffer.from(image.reader.bytes(behind, room) ?? []).toString('latin1'));
  if (anchor === undefined) return;
  const places = anchors.get(anchor) ?? [];
  places.push(at);
  anchors.set(anchor, places);
}

/** The version behind a text such as `OpenSSL 3.0.19 27 Jan 2026`: real ones carry a date, mentions in messages do not. */
export function opensslVersion(image: ElfImage, anchors: Anchors): string | undefined {
  for (const at of anchors.get('opensslVersion') ?? []) {
    const match = /^OpenSSL (\d+\.\d+\.\d+[a-z]*\S*) +\d{1,2} \w{3} \d{4}/.exec(image.reader.text(at) ?? '');
    if (match?.[1] !== undefined) return match[1];
  }
  return undefined;
}

export function libresslVersion(image: ElfImage, anchors: Anchors): string | undefined {
  const at = anchors.get('libresslVersion')?.[0];
  return at === undefined ? undefined : /^LibreSSL (\d+\.\d+\.\d+)/.exec(image.reader.text(at) ?? '')?.[1];
}
