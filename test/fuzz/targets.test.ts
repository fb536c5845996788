// Every decoder on mutated inputs: no exception, no broken promise, no second lost on one input. TRACER_FUZZ_SECONDS sets the
// time per target; the seed is printed when an input fails. `make fuzz` runs the coverage-guided fuzzer as well.
import { beforeAll, describe, expect, it } from 'vitest';
import { loadBrotli } from '../kit/brotli.ts';
import { HANG_MS } from '../kit/hang.ts';
import { mutate, randomOf } from './mutate.ts';
import { type Step, writeScript } from './script.ts';
import { foundFor, seedsOf } from './seeds.ts';
import { TARGETS } from './targets.ts';

const SECONDS = Number(process.env['TRACER_FUZZ_SECONDS'] ?? 0.7);
/** The quick suite takes the same inputs every time, fewer where its time is over before. */
const MOST_INPUTS = SECONDS >= 10 ? Number.POSITIVE_INFINITY : 2_000;
const SEED = Number(process.env['TRACER_FUZZ_SEED'] ?? (SECONDS >= 10 ? Math.floor(Math.random() * 2 ** 31) : 1));
/** CPU time. The long suite holds a megabyte to a second; the quick one, on machines of any load, only asks for an end. */
const MOST_MS = SECONDS >= 10 ? 1000 : HANG_MS;
const LARGE_BYTES = SECONDS >= 10 ? 1 << 20 : 1 << 17;
/** What decoders are known to be slow at elsewhere, over and over. */
const MONOTONOUS = [
  '\0',
  '\xff',
  'a',
  '\n',
  '\r',
  ' ',
  '"',
  '[',
  '{"a":',
  '\\',
  ':',
  ',1',
  '\x82',
  '\x81\x01',
  '0\r\n',
  'data:\n',
];
/** Sizes of the pieces in which it comes: large, middling, small. */
const PIECES = [0xffff, 1000, 100];

beforeAll(loadBrotli);

const SHOWN_BYTES = 100_000;
const shown = (input: Uint8Array): string => Buffer.from(input.subarray(0, SHOWN_BYTES)).toString('base64');

function survives(name: string, input: Uint8Array, about: string): void {
  const start = process.cpuUsage();
  try {
    TARGETS[name]?.(input);
  } catch (error) {
    throw new Error(`${name}, ${about}: ${shown(input)}`, { cause: error });
  }
  const { user, system } = process.cpuUsage(start);
  const tookMs = (user + system) / 1000;
  if (tookMs > MOST_MS) throw new Error(`${name}, ${about}: ${tookMs} ms for ${shown(input)}`);
}

const cut = (bytes: Uint8Array, pieceBytes: number): Step[] =>
  Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, at) => ({
    dir: at % 2 === 0 ? 'out' : 'in',
    bytes: bytes.subarray(at * pieceBytes, (at + 1) * pieceBytes),
  }));

const joinFirst = (first: number, bytes: Uint8Array): Uint8Array =>
  Uint8Array.from(Buffer.concat([Uint8Array.of(first), bytes]));

describe.each(Object.keys(TARGETS))('%s', (name) => {
  const seeds = seedsOf(name);

  it('has seeds, and takes them and all that was ever found', () => {
    expect(seeds.length).toBeGreaterThan(0);
    for (const input of [...seeds, ...foundFor(name)]) survives(name, input, 'seed');
  });

  it('takes a megabyte of anything in a second', { timeout: 120_000 }, () => {
    const repeated = [...MONOTONOUS.map((text) => Buffer.from(text, 'latin1')), ...seeds.slice(0, 2)];
    for (const unit of repeated) {
      const large = Buffer.alloc(LARGE_BYTES, unit);
      survives(name, Uint8Array.from(large), `as it is: ${JSON.stringify(unit.toString('latin1', 0, 20))}`);
      for (const pieceBytes of PIECES) {
        const script = Buffer.from(writeScript(cut(large, pieceBytes)));
        survives(
          name,
          joinFirst(0, script),
          `in pieces of ${pieceBytes}: ${JSON.stringify(unit.toString('latin1', 0, 20))}`,
        );
        survives(
          name,
          joinFirst(1, script),
          `joined late, in pieces of ${pieceBytes}: ${JSON.stringify(unit.toString('latin1', 0, 20))}`,
        );
      }
    }
  });

  it('survives mutations', { timeout: SECONDS * 1000 + 60_000 }, () => {
    const random = randomOf(SEED);
    const endMs = performance.now() + SECONDS * 1000;
    let kept: readonly Uint8Array[] = seeds;
    for (let count = 0; count < MOST_INPUTS && performance.now() < endMs; count++) {
      const pick = (): Uint8Array => kept[random(kept.length)] as Uint8Array;
      const input = mutate(pick(), pick(), random);
      survives(name, input, `seed ${SEED}, input ${count}`);
      // Some mutants live on, so that changes add up.
      if (random(50) === 0) kept = [...kept.slice(-200), input, ...seeds.slice(0, 20)];
    }
  });
});
