// fast-check with one seed for every run: a property that fails in one run of ten thousand inputs is a finding of `make fuzz`,
// which takes seeds at random (TRACER_FUZZ_CASES), and no reason for another outcome of the same tests. vitest.config.ts puts
// it in the place of the package.
import { createRequire } from 'node:module';

const fc = createRequire(import.meta.url)('fast-check') as typeof import('fast-check');

const SEED = 20_261_130;
if (process.env['TRACER_FUZZ_CASES'] === undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });

export default fc;
