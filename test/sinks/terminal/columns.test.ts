import { expect, it } from 'vitest';
import { layoutFor } from '../../../src/sinks/terminal/columns.ts';

const widthOf = (columns: number): number => {
  const layout = layoutFor(columns);
  return [...layout.values()].reduce((sum, cells) => sum + cells, layout.size - 1);
};

it('fills the terminal exactly from 50 columns on', () => {
  for (let columns = 50; columns <= 400; columns++) expect(widthOf(columns)).toBeLessThanOrEqual(columns);
  for (const columns of [80, 109, 120, 160, 200]) expect(widthOf(columns)).toBe(columns);
});

it('gives up the least telling columns first', () => {
  expect([...layoutFor(108).keys()]).toHaveLength(11);
  expect([...layoutFor(107).keys()]).not.toContain('cached');
  expect([...layoutFor(20).keys()]).toEqual(['time', 'class', 'status']);
});
