// What the coverage-guided fuzzer bundles into one file.
export { loadBrotli } from '../kit/brotli.ts';
export { mutate, randomOf } from './mutate.ts';
export { foundFor, seedsOf } from './seeds.ts';
export { TARGETS } from './targets.ts';
