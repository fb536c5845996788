// A small report for the tests of its forms.
import type { AuditReport } from '../../../src/app/audit/audit.ts';
import type { Finding } from '../../../src/privacy/index.ts';

const TIME = '2026-03-01T14:05:09.042Z';
const TOKEN: Finding = {
  type: 'finding',
  time: TIME,
  tsNs: '1',
  rule: 'github-token',
  severity: 'high',
  title: 'GitHub token',
  call: 'c1.1',
  where: 'message 0 (user)',
  fingerprint: '3fa9c1d2',
  dir: 'sent',
  host: 'api.githubcopilot.com',
  model: 'gpt-4.1',
  message: 0,
  part: 0,
  offset: 68,
  length: 40,
  item: 'attachment',
  file: '/home/ann/.env',
  firstSeen: TIME,
  lastSeen: TIME,
  timesSent: 2,
  answeredBack: true,
  receivers: [{ host: 'api.githubcopilot.com', model: 'gpt-4.1' }],
};
const { item: _, file: __, ...PLAIN } = TOKEN;
const HOME: Finding = {
  ...PLAIN,
  rule: 'personal-home',
  severity: 'low',
  title: 'path of a home folder',
  fingerprint: '00000001',
  offset: 3,
  timesSent: 1,
  answeredBack: false,
};

const SERVICE = { firstSeen: TIME, lastSeen: TIME };

export const REPORT: AuditReport = {
  tool: 'tracer',
  version: '0.1.0',
  files: ['chat.trc'],
  calls: 3,
  complete: true,
  findings: [TOKEN, HOME],
  findingsLeft: 0,
  hosts: [
    {
      host: 'db.test',
      known: false,
      connections: 2,
      calls: 0,
      tls: [{ version: '1.2', cipher: 'TLS_RSA_WITH_AES_128_CBC_SHA', alpn: null, connections: 1 }],
    },
    {
      host: 'evil.test',
      known: false,
      connections: 1,
      calls: 1,
      tls: [{ version: '1.3', cipher: 'TLS_AES_128_GCM_SHA256', alpn: 'h2', connections: 1 }],
    },
  ],
  services: [
    {
      class: 'chat.completions',
      host: 'api.githubcopilot.com',
      known: true,
      calls: 2,
      failed: 0,
      auth: ['Bearer copilot-token'],
      requestBytes: 900,
      responseBytes: 500,
      ...SERVICE,
    },
    {
      class: 'http.other',
      host: 'evil.test',
      known: false,
      calls: 1,
      failed: 1,
      auth: [],
      requestBytes: 10,
      responseBytes: 0,
      ...SERVICE,
    },
  ],
  requests: [],
  requestsLeft: 0,
};
