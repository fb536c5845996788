import { expect, it } from 'vitest';
import { CALL_LIMITS } from '../../src/copilot/call-limits.ts';

it('hold a request of a million tokens, and several at once', () => {
  expect(CALL_LIMITS.maxBodyBytes).toBeGreaterThan(1_000_000 * 5);
  expect(CALL_LIMITS.maxOpenBytes / CALL_LIMITS.maxBodyBytes).toBe(8);
  expect(CALL_LIMITS.maxProbeBytes).toBeLessThan(CALL_LIMITS.maxBodyBytes);
});
