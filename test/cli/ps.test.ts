import { expect, test } from 'vitest';
import type { PsRow } from '../../src/app/index.ts';
import { formatPs } from '../../src/cli/ps.ts';

const row = (more: Partial<PsRow>): PsRow => ({
  pid: 4711,
  parentPid: 1,
  depth: 0,
  uid: 1000,
  user: 'alice',
  role: 'main',
  comm: 'code',
  exe: '/usr/share/code/code',
  hookable: true,
  tls: [],
  notes: [],
  ...more,
});

const EDITOR = row({
  product: 'VS Code',
  tls: [
    { library: 'boringssl', file: '/x', hooked: true, reason: 'SSL_read, SSL_write by code references', evidence: [] },
  ],
});
const HOST = row({
  pid: 20_815,
  depth: 1,
  role: 'extension-host',
  hookable: false,
  tls: [{ library: 'rustls 0.23.1', file: '/x', hooked: false, reason: 'rustls: not supported', evidence: [] }],
  unseenConnections: 3,
  notes: ['stale: the editor that started it has ended'],
});

test('a tree, aligned, with what can be traced, what cannot, and what else to know', () => {
  expect(formatPs({ rows: [EDITOR, HOST], unreadable: 0 })).toBe(
    [
      '  PID  USER   PROCESS',
      ' 4711  alice  main · code (VS Code)',
      '                + boringssl: SSL_read, SSL_write by code references',
      '20815  alice    extension-host · code',
      '                  - rustls 0.23.1: not supported, 3 connections unseen',
      '                  ! stale: the editor that started it has ended',
    ].join('\n'),
  );
});

test('a container adds the pid inside; without one there is no such column', () => {
  const lines = formatPs({ rows: [EDITOR, row({ innerPid: 1 })], unreadable: 0 }).split('\n');
  expect(lines[0]).toBe(' PID  INSIDE  USER   PROCESS');
  expect(lines.at(-1)).toBe('4711       1  alice  main · code');
});

test('long lists of functions are shortened, lines are cut at the terminal’s width', () => {
  const reason = 'SSL_read, SSL_read_ex, SSL_write, SSL_free by dynamic symbol';
  const many = row({ tls: [{ library: 'openssl 3.0', file: '/x', hooked: true, reason, evidence: [] }] });
  const text = formatPs({ rows: [many], unreadable: 0 });
  expect(text).toContain('+ openssl 3.0: SSL_read, SSL_read_ex and 2 more by dynamic symbol');
  for (const line of formatPs({ rows: [many], unreadable: 0 }, 30).split('\n'))
    expect(line.length).toBeLessThanOrEqual(30);
});

test('names from other processes cannot steer the terminal', () => {
  const text = formatPs({ rows: [row({ role: 'other', exe: '/tmp/\u001b[2Jx\u202e', comm: 'x' })], unreadable: 0 });
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
});

test('nothing to list, and what was left out, are said', () => {
  expect(formatPs({ rows: [], unreadable: 0 })).toBe(
    'no process with a known TLS library (others are shown with --all)',
  );
  expect(formatPs({ rows: [EDITOR], unreadable: 2 })).toMatch(/2 processes could not be looked into/);
  expect(formatPs({ rows: [EDITOR], unreadable: 1 })).toMatch(/1 process could not be looked into/);
});
