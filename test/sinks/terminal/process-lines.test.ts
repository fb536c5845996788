import { expect, test } from 'vitest';
import type { ProcessEvent } from '../../../src/model/index.ts';
import { ProcessLines } from '../../../src/sinks/terminal/process-lines.ts';

const gnutls = { library: 'gnutls', file: '/lib/g.so', hooked: false, reason: 'not supported' };
const openssl = { library: 'openssl 3.0', file: '/lib/o.so', hooked: true, reason: 'SSL_read by dynamic symbol' };

const event = (facts: Partial<ProcessEvent>): ProcessEvent => ({
  type: 'process',
  time: '2026-03-01T14:05:09.042Z',
  tsNs: '1',
  phase: 'exec',
  pid: 7,
  parentPid: 1,
  comm: 'curl',
  exe: '/usr/bin/curl',
  args: [],
  role: 'curl',
  tls: [],
  ...facts,
});

test('what is learned of a program later is told as that, and each library once', () => {
  const lines = new ProcessLines();
  expect(lines.textOf(event({ tls: [gnutls] }))).toBe('curl:7 exec /usr/bin/curl · gnutls not hooked (not supported)');
  expect(lines.textOf(event({ tls: [openssl, gnutls] }))).toBe(
    'curl:7 examined /usr/bin/curl · openssl 3.0 hooked (SSL_read by dynamic symbol)',
  );
  expect(lines.textOf(event({ phase: 'exited', exitCode: 0, tls: [openssl, gnutls] }))).toBe(
    'curl:7 exited with code 0 /usr/bin/curl',
  );
});

test('another program under the same number is told whole', () => {
  const lines = new ProcessLines();
  lines.textOf(event({ tls: [openssl] }));
  const other = event({ exe: '/usr/bin/wget', role: 'wget', tls: [openssl] });
  expect(lines.textOf(other)).toBe('wget:7 exec /usr/bin/wget · openssl 3.0 hooked (SSL_read by dynamic symbol)');
  lines.textOf(event({ phase: 'exited', exe: '/usr/bin/wget', tls: [openssl] }));
  expect(lines.textOf(event({ tls: [openssl] }))).toMatch(/^curl:7 exec .* hooked/);
});
