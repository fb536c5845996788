import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { http1 } from '../../../src/protocols/http1/index.ts';
import { parseCases, runSteps, withEvents } from '../../kit/wire-cases.ts';

const folder = fileURLToPath(new URL('../../vectors/http1/', import.meta.url));
const files = readdirSync(folder).filter((name) => name.endsWith('.md'));

describe.each(files)('%s', (file) => {
  const markdown = readFileSync(folder + file, 'utf8');
  if (process.env['TRACER_GOLDEN'] === '1') {
    writeFileSync(
      folder + file,
      withEvents(markdown, ({ steps }) => runSteps(http1.open, steps)),
    );
  }
  const cases = parseCases(markdown);

  it.each(cases.map((wireCase) => [wireCase.name, wireCase] as const))('%s', (_, { steps, events }) => {
    expect(runSteps(http1.open, steps).join('\n')).toBe(events.trimEnd());
  });

  it.each(cases.map((wireCase) => [wireCase.name, wireCase] as const))('%s, however it is cut', (_, { steps }) => {
    const whole = runSteps(http1.open, steps, () => 1 << 20, { withOffsets: false });
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }), (sizes) => {
        let next = 0;
        const cut = runSteps(http1.open, steps, () => sizes[next++ % sizes.length]!, { withOffsets: false });
        expect(cut).toEqual(whole);
      }),
      { numRuns: 20 },
    );
  });
});
