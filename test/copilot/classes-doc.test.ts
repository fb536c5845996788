import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { classesDoc } from './classes-doc.ts';

const FILE = new URL('../../docs/classes.md', import.meta.url);

it('docs/classes.md says what the tables say (TRACER_GOLDEN=1 rewrites it)', () => {
  if (process.env['TRACER_GOLDEN'] === '1') writeFileSync(FILE, classesDoc());
  expect(readFileSync(FILE, 'utf8')).toBe(classesDoc());
});
