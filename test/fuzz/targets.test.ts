// Every decoder on mutated inputs: no exception, no broken promise, no second lost on one input. TRACER_FUZZ_SECONDS sets the
// time per target; the seed is printed when an input fails. `make fuzz` runs the coverage-guided fuzzer as well.
import { beforeAll, describe, expect, it } from 'vitest';
import { loadBrotli } from '../kit/brotli.ts';
import { mutate, randomOf } from './mutate.ts';
import { foundFor, seedsOf } from './seeds.ts';
import { TARGETS } from './targets.ts';

const SECONDS = Number(process.env['TRACER_FUZZ_SECONDS'] ?? 0.7);
const SEED = Number(process.env['TRACER_FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
/** On one input of at most 64 KiB. */
const HANG_MS = 1000;

beforeAll(loadBrotli);

function survives(name: string, input: Uint8Array, about: string): void {
  const startMs = performance.now();
  try {
    TARGETS[name]?.(input);
  } catch (error) {
    throw new Error(`${name}, ${about}: ${Buffer.from(input).toString('base64')}`, { cause: error });
  }
  const tookMs = performance.now() - startMs;
  if (tookMs > HANG_MS) throw new Error(`${name}, ${about}: ${tookMs} ms for ${Buffer.from(input).toString('base64')}`);
}

describe.each(Object.keys(TARGETS))('%s', (name) => {
  const seeds = seedsOf(name);

  it('has seeds, and takes them and all that was ever found', () => {
    expect(seeds.length).toBeGreaterThan(0);
    for (const input of [...seeds, ...foundFor(name)]) survives(name, input, 'seed');
  });

  it('survives mutations', { timeout: SECONDS * 1000 + 60_000 }, () => {
    const random = randomOf(SEED);
    const endMs = performance.now() + SECONDS * 1000;
    let kept: readonly Uint8Array[] = seeds;
    for (let count = 0; performance.now() < endMs; count++) {
      const pick = (): Uint8Array => kept[random(kept.length)] as Uint8Array;
      const input = mutate(pick(), pick(), random);
      survives(name, input, `seed ${SEED}, input ${count}`);
      // Some mutants live on, so that changes add up.
      if (random(50) === 0) kept = [...kept.slice(-200), input, ...seeds.slice(0, 20)];
    }
  });
});
