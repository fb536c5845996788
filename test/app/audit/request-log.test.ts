import { expect, it } from 'vitest';
import { createJudge } from '../../../src/app/audit/known-hosts.ts';
import { authOf, RequestLog } from '../../../src/app/audit/request-log.ts';
import type { HeaderField } from '../../../src/model/index.ts';
import { call } from '../../sinks/events.ts';

const withHeaders = (...headers: HeaderField[]) => call({ request: { bytes: 1, decodedBytes: 1, headers } });

it('names scheme and kind of a credential, never the credential', () => {
  expect(authOf(withHeaders(['authorization', 'token <github-token #3fa9c1d2>']))).toBe('token github-token');
  expect(authOf(withHeaders(['authorization', '<secret #3fa9c1d2>']))).toBe('secret');
  expect(authOf(withHeaders(['authorization', 'something unexpected']))).toBe('authorization');
  expect(authOf(withHeaders(['x-api-key', '<secret #3fa9c1d2>']))).toBe('x-api-key');
  expect(authOf(withHeaders())).toBeNull();
});

it('leaves out query and fragment, and counts failures', () => {
  const log = new RequestLog(createJudge([]));
  log.add(call({ path: '/a?b=c', status: 500 }));
  log.add(call({ path: '/a#b', status: 200 }));
  expect(log.rows().map(({ path }) => path)).toEqual(['/a', '/a']);
  expect(log.services()).toMatchObject([{ calls: 2, failed: 1 }]);
});
