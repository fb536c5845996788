// Made-up functions for the tests of recognition: what abstract execution would have seen, written by hand.

import {
  type SequenceEntry,
  type Site,
  type SitedFunction,
  sequenceOf,
} from '../../../../src/capture/discover/boringssl/sites.ts';
import { argument, type Call, constant, type Value } from '../../../../src/capture/discover/code/values.ts';
import type { FunctionTrace } from '../../../../src/capture/discover/code/walk.ts';

export const [ARG0, ARG1, ARG2] = [argument(0), argument(1), argument(2)];
export const loaded = (base: Value, disp: number): Value => ({ kind: 'load', base, disp });
export const callOf = (args: Value[], more: Partial<Call> = {}): Call => ({
  at: 0,
  target: undefined,
  through: undefined,
  args,
  ...more,
});

export const traceOf = (entry: number, parts: Partial<FunctionTrace> = {}): FunctionTrace => ({
  entry,
  instructions: new Map(),
  exits: [],
  calls: [],
  loads: [],
  stores: [],
  ...parts,
});

export const sitedOf = (
  entry: number,
  sites: [line: number, reason: number][],
  parts: Partial<FunctionTrace> = {},
): SitedFunction => ({
  trace: traceOf(entry, parts),
  sites: sites.map(([line, reason]): Site => ({ line, reason })),
});

export const sequence = (...functions: SitedFunction[]): SequenceEntry[] => sequenceOf(functions);

/** ssl->method->f(ssl, bool *, size_t *, buf, num). */
export const FORWARD = callOf([ARG0, constant(1), constant(2), ARG1, ARG2, constant(0)], {
  through: { base: loaded(ARG0, 0), disp: 0x48 },
});

const S3 = loaded(ARG0, 0x30);
/** memcpy(buf, ssl->s3->pending_app_data.data, n), with the span's length read. */
export const COPY: Partial<FunctionTrace> = {
  calls: [callOf([ARG1, loaded(S3, 0x80), constant(1)])],
  loads: [{ at: 0, base: S3, disp: 0x88, isAfterCopy: false }],
};
export const CONSUME: Partial<FunctionTrace> = {
  ...COPY,
  stores: [{ at: 1, base: S3, disp: 0x80, isAfterCopy: true }],
};
