// Coverage-guided fuzzing of every decoder: `node --expose-gc test/fuzz/fuzz.mjs [--seconds N] [--seed N] [target…]`, or
// `make fuzz`. Mutates the seeds and what it has found so far; an input that reaches code that none before reached joins the
// corpus (build/fuzz/corpus, kept between runs). Ends with code 1 when a decoder threw, broke a promise, took longer than a
// second for one input or kept memory; the input is then written to test/fuzz/found.
//
// Coverage is V8's own block coverage. Asking for it costs some milliseconds, so inputs run in batches, larger ones while
// nothing new is found; what was new is then found by halving.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'vite';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const OUT = join(ROOT, 'build/fuzz');
const FOUND = join(ROOT, 'test/fuzz/found');
const MIN_BATCH = 32;
const MAX_BATCH = 2048;
/** Of CPU time: other programs must not make a decoder look slow. */
const HANG_MS = 1000;
/** What a target may keep on the heap between inputs: the corpus itself, caches of V8. */
const KEPT_BYTES = 64 << 20;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string', default: String(Date.now() & 0xffffff) } },
});

/** The decoders and the fuzzer's parts as one file of JavaScript. */
const bundle = async () => {
  const entry = join(ROOT, 'test/fuzz/entry.ts');
  await build({
    root: ROOT,
    logLevel: 'error',
    configFile: false,
    build: {
      ssr: entry,
      outDir: OUT,
      emptyOutDir: false,
      minify: false,
      rollupOptions: { output: { entryFileNames: 'entry.mjs', codeSplitting: false } },
    },
    ssr: { noExternal: true },
  });
  return import(join(OUT, 'entry.mjs'));
};

class Coverage {
  #session = new Session();
  #seen = new Set();

  constructor() {
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  get size() {
    return this.#seen.size;
  }

  forget() {
    this.#seen.clear();
  }

  /** Blocks that ran since the last call and never before; `isTaken`: they count as known from now on. @param {boolean} isTaken */
  fresh(isTaken) {
    const fresh = [];
    this.#session.post('Profiler.takePreciseCoverage', (error, answer) => {
      if (error) throw new Error(JSON.stringify(error));
      for (const script of answer.result.filter(({ url }) => url.endsWith('build/fuzz/entry.mjs'))) {
        for (const { ranges } of script.functions) {
          for (const { startOffset, endOffset, count } of ranges) {
            const block = startOffset * 2 ** 24 + endOffset;
            if (count > 0 && !this.#seen.has(block)) fresh.push(block);
          }
        }
      }
    });
    if (isTaken) for (const block of fresh) this.#seen.add(block);
    return fresh.length;
  }
}

/** @param {string} name @param {Uint8Array} input @param {string} why */
const report = (name, input, why) => {
  const file = `${name}.${createHash('sha256').update(input).digest('hex').slice(0, 12)}.bin`;
  writeFileSync(join(FOUND, file), input);
  console.error(`${name}: ${why}\n  input kept as test/fuzz/found/${file}`);
};

/** False when a promise was broken. @param {string} name @param {(input: Uint8Array) => void} target @param {Uint8Array} input */
const survives = (name, target, input) => {
  const start = process.cpuUsage();
  try {
    target(input);
  } catch (error) {
    report(name, input, String(error instanceof Error ? error.stack : error));
    return false;
  }
  const { user, system } = process.cpuUsage(start);
  const tookMs = (user + system) / 1000;
  if (tookMs <= HANG_MS) return true;
  report(name, input, `${tookMs.toFixed(0)} ms for ${input.length} bytes`);
  return false;
};

/** @param {string} name */
const keptInputs = (name) => {
  const folder = join(OUT, 'corpus', name);
  mkdirSync(folder, { recursive: true });
  return readdirSync(folder).map((file) => Uint8Array.from(readFileSync(join(folder, file))));
};

/** @param {string} name @param {Uint8Array} input */
const keep = (name, input) => {
  const file = createHash('sha256').update(input).digest('hex').slice(0, 20);
  writeFileSync(join(OUT, 'corpus', name, file), input);
};

/** Number of broken promises. @param {any} parts @param {Coverage} coverage @param {string} name */
const fuzz = (parts, coverage, name) => {
  const target = parts.TARGETS[name];
  const random = parts.randomOf(Number(values.seed));
  const corpus = [...parts.seedsOf(name), ...parts.foundFor(name), ...keptInputs(name)];
  let failures = 0;
  coverage.forget();
  for (const input of corpus) if (!survives(name, target, input)) failures++;
  coverage.fresh(true);
  const [startBlocks, startInputs] = [coverage.size, corpus.length];
  globalThis.gc?.();
  const startBytes = process.memoryUsage().heapUsed;
  /** Runs all, and takes those that reach something new into the corpus. @param {readonly Uint8Array[]} batch */
  const explore = (batch) => {
    for (const input of batch) if (!survives(name, target, input)) failures++;
    if (coverage.fresh(batch.length === 1) === 0) return false;
    const half = batch.length >> 1;
    if (half > 0) return [batch.slice(0, half), batch.slice(half)].map(explore).includes(true);
    corpus.push(...batch);
    for (const input of batch) keep(name, input);
    return true;
  };
  let runs = 0;
  let size = MIN_BATCH;
  for (const endMs = performance.now() + Number(values.seconds) * 1000; performance.now() < endMs; runs += size) {
    const pick = () => corpus[random(corpus.length)];
    const foundNew = explore(Array.from({ length: size }, () => parts.mutate(pick(), pick(), random)));
    size = foundNew ? MIN_BATCH : Math.min(size * 2, MAX_BATCH);
  }
  globalThis.gc?.();
  const keptBytes = process.memoryUsage().heapUsed - startBytes;
  if (keptBytes > KEPT_BYTES) {
    console.error(`${name}: ${keptBytes} bytes kept on the heap`);
    failures++;
  }
  const found = `${coverage.size - startBlocks} new blocks, ${corpus.length - startInputs} new inputs`;
  console.log(`${name}: ${runs} inputs, ${coverage.size} blocks reached, ${found}, ${failures} failures`);
  return failures;
};

const parts = await bundle();
parts.loadBrotli();
const coverage = new Coverage();
console.log(`seed ${values.seed}, ${values.seconds} seconds each`);
const names = Object.keys(parts.TARGETS).filter((name) => positionals.length === 0 || positionals.includes(name));
const failures = names.reduce((sum, name) => sum + fuzz(parts, coverage, name), 0);
process.exit(failures === 0 ? 0 : 1);
