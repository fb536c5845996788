import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { callAfter } from '../../src/app/long-timer.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each([1, DAY_MS, 25 * DAY_MS, 100 * DAY_MS])('%d ms: not a millisecond too early, and once', (delayMs) => {
  const body = vi.fn();
  callAfter(delayMs, body);
  vi.advanceTimersByTime(delayMs - 1);
  expect(body).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(body).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(200 * DAY_MS);
  expect(body).toHaveBeenCalledOnce();
});

test('called off in its second month, it never comes, and no timer is left', () => {
  const body = vi.fn();
  const cancel = callAfter(100 * DAY_MS, body);
  vi.advanceTimersByTime(40 * DAY_MS);
  cancel();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(200 * DAY_MS);
  expect(body).not.toHaveBeenCalled();
});
