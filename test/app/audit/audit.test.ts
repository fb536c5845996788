import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuditReport, type AuditSettings, audit } from '../../../src/app/audit/audit.ts';
import { EXIT } from '../../../src/errors.ts';
import type { Finding } from '../../../src/privacy/index.ts';
import { cleanSession, leakySession, SECRETS } from './session.ts';

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
let dir = '';
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'tracer-audit-'));
});
afterAll(() => rmSync(dir, { recursive: true }));

const run = (file: string, more: Partial<AuditSettings> = {}) =>
  audit({
    files: [file],
    allowHosts: [],
    personal: true,
    failOn: null,
    log: quiet,
    stop: new AbortController().signal,
    key: new Uint8Array(32).fill(7),
    ...more,
  });

const leaky = async (more: Partial<AuditSettings> = {}): Promise<AuditReport> =>
  (await run(leakySession(join(dir, 'leaky.trc')), more)).report;

const short = ({ severity, rule, call, where }: Finding): string => `${severity} ${rule} ${call} ${where}`;

describe('the findings of a leaky session', () => {
  it('are exactly these, worst first', async () => {
    expect((await leaky()).findings.map(short)).toEqual([
      'high github-token c1.1 message 0 (user)',
      'high token-foreign-host c2.1 header authorization: collector.evil.test authorization',
      'high slack-token c2.1 request body',
      'medium foreign-host c2.1 host: collector.evil.test',
      'medium weak-tls c2.1 handshake: TLS 1.0 TLS_RSA_WITH_AES_128_CBC_SHA to collector.evil.test',
      'medium redirect-foreign c2.1 header location: collector.evil.test to other.evil.test',
      'medium credential-in-url c2.1 URL (secret)',
      'medium telemetry-text c4.1 event copilot-chat/engine.messages: copilot-chat/engine.messages to copilot-telemetry.githubusercontent.com',
      'medium secrets-file c5.1 file under the cursor: app/.env',
      'low personal-home c1.1 message 0 (user)',
      'low retention c1.2 parameter store: chat.completions at api.githubcopilot.com',
      'low redirect c3.1 header location: github.com to api.github.com',
      'low personal-machine c3.1 header vscode-machineid: vscode-machineid to github.com',
    ]);
  });

  it('say where a secret came from, who has it, how often it was sent and that it was answered back', async () => {
    const [token] = (await leaky()).findings;
    expect(token).toMatchObject({
      title: 'GitHub token',
      message: 0,
      part: 0,
      offset: 63,
      length: 40,
      item: 'attachment',
      file: '/home/annlee/app/.env',
      dir: 'sent',
      timesSent: 2,
      answeredBack: true,
      receivers: [{ host: 'api.githubcopilot.com', model: 'gpt-4.1' }],
    });
    expect(token?.fingerprint).toMatch(/^[0-9a-f]{8}$/);
  });

  it('hold no secret, nor does any other part of the report', async () => {
    const text = JSON.stringify(await leaky());
    expect(SECRETS.filter((secret) => text.includes(secret) || text.includes(secret.slice(-12)))).toEqual([]);
  });

  it('leave out a host that is allowed, and personal data on request', async () => {
    const { findings } = await leaky({ allowHosts: ['*.evil.test'], personal: false });
    expect(findings.map(({ rule }) => rule)).toEqual([
      'github-token',
      'slack-token',
      'weak-tls',
      'credential-in-url',
      'telemetry-text',
      'secrets-file',
      'retention',
      'redirect',
      'redirect',
    ]);
  });
});

describe('the request log', () => {
  it('says who called what, with which credential, and what came back', async () => {
    const { requests } = await leaky();
    expect(
      requests.map(({ call, class: name, method, host, path, auth, status }) => [
        call,
        name,
        method,
        host,
        path,
        auth,
        status,
      ]),
    ).toEqual([
      ['c1.1', 'chat.completions', 'POST', 'api.githubcopilot.com', '/chat/completions', 'Bearer copilot-token', 200],
      ['c1.2', 'chat.completions', 'POST', 'api.githubcopilot.com', '/chat/completions', 'Bearer copilot-token', 200],
      ['c2.1', 'http.other', 'POST', 'collector.evil.test', '/up', 'Bearer copilot-token', 302],
      ['c3.1', 'http.other', 'GET', 'github.com', '/login/a', null, 301],
      ['c4.1', 'telemetry.copilot', 'POST', 'copilot-telemetry.githubusercontent.com', '/telemetry', null, 200],
      [
        'c5.1',
        'completions.inline',
        'POST',
        'copilot-proxy.githubusercontent.com',
        '/v1/engines/gpt-41-copilot/completions',
        'Bearer copilot-token',
        200,
      ],
    ]);
  });

  it('says what the connection negotiated, where the TLS library told', async () => {
    const { requests, hosts } = await leaky();
    expect(requests.slice(1, 4).map(({ tlsVersion, tlsCipher, alpn }) => [tlsVersion, tlsCipher, alpn])).toEqual([
      ['1.3', 'TLS_AES_128_GCM_SHA256', 'http/1.1'],
      ['1.0', 'TLS_RSA_WITH_AES_128_CBC_SHA', null],
      [null, null, null],
    ]);
    const told = hosts.filter(({ tls }) => tls.length > 0).map(({ host, tls }) => [host, tls]);
    expect(told).toEqual([
      ['collector.evil.test', [{ version: '1.0', cipher: 'TLS_RSA_WITH_AES_128_CBC_SHA', alpn: null, connections: 1 }]],
      [
        'api.githubcopilot.com',
        [{ version: '1.3', cipher: 'TLS_AES_128_GCM_SHA256', alpn: 'http/1.1', connections: 1 }],
      ],
    ]);
  });

  it('adds up by service', async () => {
    const [first, ...others] = (await leaky()).services;
    expect(first).toMatchObject({
      class: 'chat.completions',
      known: true,
      calls: 2,
      failed: 0,
      auth: ['Bearer copilot-token'],
    });
    expect(others.filter(({ known }) => !known).map(({ host }) => host)).toEqual(['collector.evil.test']);
  });
});

describe('the exit code', () => {
  it('is 3 when a finding is as severe as --fail-on says', async () => {
    const file = leakySession(join(dir, 'leaky.trc'));
    expect((await run(file, { failOn: 'high' })).exitCode).toBe(EXIT.findings);
    expect(EXIT.findings).toBe(3);
  });

  it('is 0 when nothing is, or nothing was asked', async () => {
    const clean = cleanSession(join(dir, 'clean.trc'));
    expect((await run(clean, { failOn: 'low' })).exitCode).toBe(EXIT.ok);
    expect((await run(clean, { failOn: 'low' })).report.findings).toEqual([]);
    expect((await run(leakySession(join(dir, 'leaky.trc')))).exitCode).toBe(EXIT.ok);
  });
});
