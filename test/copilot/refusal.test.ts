import fc from 'fast-check';
import { expect, it } from 'vitest';
import { refusalOf } from '../../src/copilot/refusal.ts';

it.each([
  [429, '{"code":"extension_blocked","type":"rate_limit_error"}', 'extension_blocked', /extension_blocked/],
  [429, '{"type":"rate_limit_error","message":"slow down"}', 'rate_limit_error', /^slow down$/],
  [401, '{"message":"Bad credentials","documentation_url":"https://x"}', 'http.401', /^Bad credentials$/],
  [401, '{"authorize_url":"https://x","slug":"agent"}', 'http.401', /authorize_url/],
  [422, '{"detail":"no such field"}', 'http.422', /^no such field$/],
  [500, '{"type":"error","error":"boom"}', 'http.500', /^boom$/],
  [502, '<html>bad gateway</html>', 'http.502', /^<html>bad gateway<\/html>$/],
  [466, 'client not supported', 'http.466', /^client not supported$/],
  [499, '', 'http.499', /^$/],
])('reads status %i with %s', (status, body, code, message) => {
  expect(refusalOf(status, body)).toEqual({ code, message: expect.stringMatching(message) });
});

it('takes anything without a throw, and keeps little of it', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (body) => {
      expect(refusalOf(400, body).message.length).toBeLessThanOrEqual(1024);
    }),
    { numRuns: 200 },
  );
});
