// The laws on real connections: however their bytes are cut the same is heard, and what a hole or a late join hides is not
// replaced by anything. TRACER_FUZZ_CASES sets the number of random cases over all captures.
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { loadBrotli } from '../kit/brotli.ts';
import { readCaptures } from '../kit/captures.ts';
import { type HeardExchange, hearEngine, hearSteps, hearWhole } from '../kit/heard.ts';
import type { Segment } from '../kit/pcap.ts';

const CASES = Number(process.env['TRACER_FUZZ_CASES'] ?? 250);
const TIMEOUT_MS = 600_000;

const captures = readCaptures();
const capture = fc.constantFrom(...captures);
let truths = new Map<string, HeardExchange[]>();

beforeAll(async () => {
  await loadBrotli();
  truths = new Map(captures.map(({ name, segments }) => [name, hearEngine(segments)]));
});

const cut = (segments: readonly Segment[], sizes: readonly number[]): Segment[] => {
  let next = 0;
  return segments.flatMap(({ dir, bytes }) => {
    const parts: Segment[] = [];
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + (sizes[next++ % sizes.length] as number));
      parts.push({ dir, bytes: part });
      at += part.length;
    }
    return parts;
  });
};

/** Every head and trailer of `heard` is one that was sent, on an exchange whose other parts agree. */
function expectNothingWrong(heard: readonly HeardExchange[], truth: readonly HeardExchange[]): void {
  for (const { request, response } of heard) {
    const could = truth.filter((whole) => agrees(request.head, whole.request.head));
    if (could.length === 0) throw new Error(`never sent: ${JSON.stringify(request.head)}`);
    expect(could.some((whole) => agrees(response.head, whole.response.head))).toBe(true);
  }
}

/** Unknown parts are absent: `null` words of the start, fields that are missing. Known fields are in order. */
function agrees(heard: HeardExchange['request']['head'], sent: HeardExchange['request']['head']): boolean {
  if (heard === null) return true;
  if (sent === null) return false;
  const [mine, theirs] = [heard.start.split(' '), sent.start.split(' ')];
  if (mine.some((word, at) => word !== '' && word !== 'null' && word !== theirs[at])) return false;
  let from = 0;
  for (const [name, value] of heard.fields) {
    const at = sent.fields.findIndex((field, index) => index >= from && field[0] === name && field[1] === value);
    if (at < 0) return false;
    from = at + 1;
  }
  return true;
}

const sizes = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 30 });

it('any split of a real connection is heard alike', { timeout: TIMEOUT_MS }, () => {
  const cases = fc.property(capture, sizes, ({ name, segments }, cuts) => {
    expect(hearEngine(cut(segments, cuts))).toEqual(truths.get(name));
  });
  fc.assert(cases, { numRuns: CASES });
});

it('a real connection that is joined anywhere has no head that was not sent', { timeout: TIMEOUT_MS }, () => {
  const place = fc.double({ min: 0, max: 1, noNaN: true });
  const cases = fc.property(capture, place, sizes, ({ name, segments }, where, cuts) => {
    const parts = cut(segments, cuts);
    expectNothingWrong(hearEngine(parts.slice(Math.floor(where * (parts.length - 1)))), truths.get(name) ?? []);
  });
  fc.assert(cases, { numRuns: CASES });
});

it('a real connection with holes has no head that was not sent', { timeout: TIMEOUT_MS }, () => {
  const holes = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 3 });
  const cases = fc.property(capture, holes, sizes, ({ name, segments }, where, cuts) => {
    const parts = cut(segments, cuts);
    const lost = new Set(where.map((one) => Math.floor(one * (parts.length - 1))));
    const steps = parts.map((part, at) => (lost.has(at) ? { dir: part.dir, lostBytes: part.bytes.length } : part));
    expectNothingWrong(hearSteps(steps), truths.get(name) ?? []);
  });
  fc.assert(cases, { numRuns: CASES });
});

it('what is called whole behind holes is what was sent, bodies and all', { timeout: TIMEOUT_MS }, () => {
  const holes = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 3 });
  const cases = fc.property(capture, holes, sizes, ({ name, segments }, where, cuts) => {
    const parts = cut(segments, cuts);
    const lost = new Set(where.map((one) => Math.floor(one * (parts.length - 1))));
    const steps = parts.map((part, at) => (lost.has(at) ? { dir: part.dir, lostBytes: part.bytes.length } : part));
    const sent = (truths.get(name) ?? []).map(partsOf);
    for (const exchange of hearWhole(steps)) expect(sent).toContainEqual(partsOf(exchange));
  });
  fc.assert(cases, { numRuns: CASES });
});

/** What a whole exchange must have right: its start lines and bodies. Fields and trailers are in the property above. */
const partsOf = ({ request, response }: HeardExchange): unknown => [
  request.head?.start,
  request.bodySha256,
  response.head?.start,
  response.bodySha256,
];
