import { expect, test } from 'vitest';
import { countsText, hasGaps } from '../../src/app/bus-counts.ts';

test('what is missing is said, and is a gap', () => {
  const counts = { events: 12, duplicates: 3, missing: 2, unusable: 1 };
  expect(countsText(counts)).toBe(
    '12 events, 3 came twice and are shown once, 2 missing, 1 message that is no whole event',
  );
  expect(hasGaps(counts)).toBe(true);
});

test('repeated events are no gap', () => {
  expect([
    hasGaps({ events: 1, duplicates: 5, missing: 0, unusable: 0 }),
    countsText({ events: 1, duplicates: 0, missing: 0, unusable: 0 }),
  ]).toEqual([false, '1 event']);
});
