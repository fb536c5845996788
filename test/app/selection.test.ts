import { expect, test } from 'vitest';
import { checkFilter, createSelection } from '../../src/app/selection.ts';
import type { TraceEvent } from '../../src/model/index.ts';
import { call, OTHER_EVENTS, plainCall, summary } from '../sinks/events.ts';

const typesOf = (events: readonly TraceEvent[]): string[] => events.map(({ type }) => type);

test('without a filter everything goes out', () => {
  const batch = [call(), ...OTHER_EVENTS];
  expect(createSelection(undefined)(batch)).toBe(batch);
});

test('losses and the summary pass any filter', () => {
  const select = createSelection('class:chat.*');
  expect(typesOf(select([...OTHER_EVENTS, call(), plainCall(), summary()]))).toEqual([
    'call.started',
    'call.delta',
    'loss',
    'call',
    'summary',
  ]);
});

test('a call is chosen by findings that come behind it', () => {
  const findings = OTHER_EVENTS.filter(({ type }) => type === 'finding');
  expect(typesOf(createSelection('type:call finding:secret')([call(), ...findings]))).toEqual(['call']);
  expect(createSelection('type:call finding:secret')([call()])).toEqual([]);
});

test('a mistake is told with its column', () => {
  expect(() => checkFilter('class:x statu>1')).toThrow(
    expect.objectContaining({
      code: 'E_FILTER_INVALID',
      message: 'filter: unknown field statu (did you mean status?) at column 9: class:x ▸statu>1',
    }),
  );
});
