// A small recording with every kind of record, for the tests of writer and reader and as the fixture of format version 1.

import type { ProcessRecord } from '../../src/model/index.ts';
import { createRecordingWriter, type DecodedRecord, decodeRecord, type UserRecord } from '../../src/record/index.ts';
import { kernelRecord } from './kernel-record.ts';

export const FACTS = {
  monoNs: 4_999_999_999_999n,
  wallNs: 1_800_000_000_123_456_789n,
  bootId: '5c2c0c0e-6f6e-4d9e-8f6a-0d6b6b1c2a3f',
  host: 'workstation',
  toolVersion: '0.1.0',
};

const PROCESS: ProcessRecord = {
  kind: 'process',
  tsNs: 1n,
  pid: 4242,
  startNs: 2n ** 63n + 5n,
  parentPid: 1,
  comm: 'code',
  exe: '/usr/share/code/code',
  args: ['/usr/share/code/code', '--type=utility', 'naïve ✓'],
  role: 'extension-host',
  tls: [{ library: 'boringssl', file: '/usr/share/code/code', hooked: false, reason: 'no anchors' }],
};

const session = (phase: 'start' | 'end', reason: string): UserRecord => ({
  kind: 'session',
  tsNs: phase === 'start' ? 0n : 9n,
  phase,
  wallNs: FACTS.wallNs,
  host: FACTS.host,
  toolVersion: FACTS.toolVersion,
  reason,
});

const raw = kernelRecord;

/** Blocks of the sample: raw bytes are kernel records, values are made by user space. */
export const SAMPLE_BLOCKS: readonly (readonly (Uint8Array | UserRecord)[])[] = [
  [session('start', ''), PROCESS],
  [
    raw({ kind: 3, payload: 'api.githubcopilot.com' }),
    raw({ kind: 1, payload: 'GET / HTTP/1.1\r\n\r\n' }),
    { kind: 'counters', tsNs: 3n, counters: { loss_ring_full: 0, calls: 2 ** 40, __proto__x: 1 } },
  ],
  [
    raw({ kind: 1, dir: 1, payload: new Uint8Array(300).fill(0xff) }),
    raw({ kind: 77 }),
    raw({ kind: 2, offset: 18n, aux: 300n }),
  ],
  [
    {
      kind: 'progress',
      tsNs: 8n,
      pid: 4242,
      startNs: 1n,
      ssl: 2n ** 64n - 1n,
      generation: 3,
      outBytes: 2 ** 41,
      inBytes: 0,
    },
    raw({ kind: 4, aux: 4300n }),
    raw({ kind: 5, payload: '/bin/sh' }),
    raw({ kind: 6, aux: 0n }),
    session('end', 'interrupted'),
  ],
];

export const SAMPLE_RAW = SAMPLE_BLOCKS.flat().filter((record) => record instanceof Uint8Array);

/** What the engine saw, in order. */
export const SAMPLE_RECORDS: readonly DecodedRecord[] = SAMPLE_BLOCKS.flat().map((record) =>
  record instanceof Uint8Array ? decodeRecord(record) : record,
);

/** The sample as a file, and what has been read when each of its frames (magic and header count as two) is whole. */
export function sampleRecording(): { file: Uint8Array; blockEnds: { offset: number; records: number }[] } {
  const writer = createRecordingWriter({ plain: true });
  const header = writer.header(FACTS);
  const parts = [header];
  const blockEnds = [
    { offset: 8, records: 0 },
    { offset: header.length, records: 0 },
  ];
  for (const block of SAMPLE_BLOCKS) {
    for (const record of block) record instanceof Uint8Array ? writer.addKernel(record) : writer.addUser(record);
    parts.push(writer.frame(writer.takeBlock()!, null));
    const before = blockEnds.at(-1)!;
    blockEnds.push({ offset: before.offset + parts.at(-1)!.length, records: before.records + block.length });
  }
  return { file: new Uint8Array(Buffer.concat(parts)), blockEnds };
}
