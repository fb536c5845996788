// Recall and precision of the secret search, and of its two rule sets alone. Needs `make build`.
// node test/bench/detection.mjs [--verbose]
import { fileURLToPath } from 'node:url';
import { createKeptRules } from '../../build/js/app/kept-rules.js';
import { createFinder, NO_KEPT_RULES } from '../../build/js/privacy/index.js';
import { measure, negatives, positives } from './detection-corpus.mjs';

const percent = (/** @type {number} */ share) => `${(share * 100).toFixed(1)} %`.padStart(8);
const secrets = positives();
const codes = negatives(fileURLToPath(new URL('../../node_modules', import.meta.url)));
const kept = createKeptRules();

/** The kept rules alone, as they come. @param {string} text */
const keptAlone = (text) => kept(text).map(({ kind, start, end }) => ({ kind, offset: start, length: end - start }));

const SEARCHES = /** @type {const} */ ([
  ['kept rules alone (secretlint)', keptAlone],
  ['own rules alone', createFinder(NO_KEPT_RULES)],
  ['both, as used', createFinder(kept)],
]);

console.log(`${secrets.length} secrets, ${codes.length} samples of code\n`);
console.log(`${'search'.padEnd(32)}   recall  precision  wrong  ms/MB`);
for (const [name, find] of SEARCHES) {
  const startMs = performance.now();
  const result = measure(find, secrets, codes);
  const chars = [...secrets, ...codes].reduce((sum, { text }) => sum + text.length, 0);
  const cost = ((performance.now() - startMs) / (chars / 1e6)).toFixed(0);
  const wrong = result.wrong + result.wrongInCode.length;
  console.log(
    `${name.padEnd(32)} ${percent(result.recall)}   ${percent(result.precision)}  ${String(wrong).padStart(5)}  ${cost.padStart(5)}`,
  );
  if (process.argv.includes('--verbose')) {
    for (const { kind, text } of result.missed) console.log(`  missed ${kind}: ${JSON.stringify(text.slice(0, 120))}`);
    for (const { kind, path, text } of result.wrongInCode) console.log(`  wrong ${kind}: ${JSON.stringify(text.slice(0, 100))} in ${path}`);
  }
}
