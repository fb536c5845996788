import { expect, it } from 'vitest';
import { decodeRecord } from '../../src/record/decode.ts';
import { encodeRecord, type KernelRecord } from '../../src/record/encode.ts';

const KEY = { pid: 4242, startNs: 2n ** 60n, ssl: 0x7f00_0000_1000n, generation: 3 };

const RECORDS: readonly KernelRecord[] = [
  {
    kind: 'data',
    tsNs: 5n,
    ...KEY,
    tid: 4243,
    hook: 7,
    dir: 'in',
    offset: 2 ** 40,
    callBytes: 9,
    callEnd: true,
    bytes: Uint8Array.of(1, 2, 3),
  },
  {
    kind: 'data',
    tsNs: 5n,
    ...KEY,
    tid: 1,
    hook: 1,
    dir: 'out',
    offset: 0,
    callBytes: 0,
    callEnd: false,
    bytes: new Uint8Array(),
  },
  { kind: 'close', tsNs: 6n, ...KEY, outBytes: 10, inBytes: 20 },
  { kind: 'close', tsNs: 6n, ...KEY, outBytes: 10, inBytes: 20, broken: true },
  { kind: 'sni', tsNs: 7n, ...KEY, host: 'api.githubcopilot.com' },
  { kind: 'peer', tsNs: 7n, ...KEY, local: '10.0.0.2:40000', remote: '192.0.2.1:443', evidence: 'inside' },
  { kind: 'peer', tsNs: 7n, ...KEY, local: '[fd00::2]:40000', remote: '[2001:db8::1]:443', evidence: 'after' },
  { kind: 'facts', tsNs: 7n, ...KEY, version: 0x0304, cipher: 0x0300_1301, alpn: 'h2', evidence: 'getters' },
  { kind: 'facts', tsNs: 7n, ...KEY, version: 0x0303, cipher: 0x0300_c02f, evidence: 'getters' },
  { kind: 'facts', tsNs: 7n, ...KEY, version: 0, cipher: 0x0300_1301, evidence: 'cipher-state' },
  { kind: 'fork', tsNs: 8n, parentPid: 1, child: { pid: 2, startNs: 3n } },
  { kind: 'exec', tsNs: 9n, pid: 2, startNs: 3n, file: '/usr/bin/naïve' },
  { kind: 'exit', tsNs: 10n, pid: 2, startNs: 3n, code: 256 },
];

it.each(RECORDS.map((record) => [record.kind, record] as const))('a %s record decodes to itself', (_, record) => {
  expect(decodeRecord(encodeRecord(record))).toEqual(record);
});
