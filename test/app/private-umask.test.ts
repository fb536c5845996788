import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { inheritedMask } from '../../src/app/private-umask.ts';

it('gives a started program the mask that the tracer was started with', () => {
  expect(inheritedMask()).toMatch(/^[0-7]{4}$/);
  expect(execFileSync('sh', ['-c', `umask ${inheritedMask()}; umask`], { encoding: 'utf8' }).trim()).toBe(
    inheritedMask(),
  );
});
