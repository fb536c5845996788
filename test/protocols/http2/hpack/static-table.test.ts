import { expect, test } from 'vitest';
import { STATIC_TABLE } from '../../../../src/protocols/http2/hpack/static-table.ts';

test('the table of RFC 7541 appendix A has 61 entries at their indices', () => {
  expect(STATIC_TABLE.length).toBe(61);
  const at = (index: number) => STATIC_TABLE[index - 1];
  expect([at(1), at(2), at(8), at(14), at(16), at(28), at(58), at(61)]).toEqual([
    [':authority', ''],
    [':method', 'GET'],
    [':status', '200'],
    [':status', '500'],
    ['accept-encoding', 'gzip, deflate'],
    ['content-length', ''],
    ['user-agent', ''],
    ['www-authenticate', ''],
  ]);
});
