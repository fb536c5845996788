// The recorded connections of test/vectors/h2.json (made by h2-record.mjs from Node, curl, nghttp and nghttpd).

import { readFileSync } from 'node:fs';
import type { Dir } from '../../../src/model/index.ts';
import type { Segment } from './kit.ts';

export interface Recording {
  readonly name: string;
  readonly segments: readonly Segment[];
}

const stored = JSON.parse(readFileSync(new URL('../../vectors/h2.json', import.meta.url), 'utf8')) as {
  name: string;
  segments: [Dir, string][];
}[];

export const RECORDINGS: readonly Recording[] = stored.map(({ name, segments }) => ({
  name,
  segments: segments.map(([dir, base64]) => ({ dir, bytes: Uint8Array.from(Buffer.from(base64, 'base64')) })),
}));

/** Cases of a property: a few hundred normally, TRACER_FUZZ_CASES in the long suite. */
export const CASES = Number(process.env['TRACER_FUZZ_CASES'] ?? 200);
