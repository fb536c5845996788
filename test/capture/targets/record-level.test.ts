import { expect, it } from 'vitest';
import { OPEN, SEAL, SEAL_OLD } from '../../../src/capture/targets/record-level.ts';

it('the record level has two shapes of writing, which the position of the buffer tells apart', () => {
  expect([SEAL.args?.buf, SEAL_OLD.args?.buf]).toEqual([3, 2]);
  expect([OPEN.role, SEAL.role, SEAL_OLD.role]).toEqual(['open', 'seal', 'seal_old']);
});
