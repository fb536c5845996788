// Recordings made in a test: capture records as values to the bytes of a file.
import { writeFileSync } from 'node:fs';
import type { CaptureRecord, ProcessRecord, SessionRecord } from '../../src/model/index.ts';
import { createRecordingWriter, encodeRecord, MAX_CHUNK_BYTES } from '../../src/record/index.ts';
import { Script } from './records.ts';

const WALL_NS = 1_772_373_909_000_000_000n;
const FACTS = { monoNs: 0n, wallNs: WALL_NS, bootId: 'boot', host: 'host', toolVersion: '0.0.0' };

const session = (phase: SessionRecord['phase'], tsNs: bigint): SessionRecord => ({
  kind: 'session',
  tsNs,
  phase,
  wallNs: WALL_NS + tsNs,
  host: 'host',
  toolVersion: '0.0.0',
  reason: phase === 'end' ? 'all targets have exited' : '',
});

const PROCESS: ProcessRecord = {
  kind: 'process',
  tsNs: 2n,
  pid: 7,
  startNs: 5n,
  parentPid: 1,
  comm: 'code',
  exe: '/usr/share/code/code',
  args: ['code', '--type=utility'],
  role: 'extension-host',
  tls: [],
};

/** Data longer than a chunk as several records, as the kernel side cuts it. */
function cut(record: CaptureRecord): CaptureRecord[] {
  if (record.kind !== 'data' || record.bytes.length <= MAX_CHUNK_BYTES) return [record];
  const count = Math.ceil(record.bytes.length / MAX_CHUNK_BYTES);
  return Array.from({ length: count }, (_, i) => ({
    ...record,
    offset: record.offset + i * MAX_CHUNK_BYTES,
    callEnd: i === count - 1,
    bytes: record.bytes.subarray(i * MAX_CHUNK_BYTES, (i + 1) * MAX_CHUNK_BYTES),
  }));
}

/** The file's bytes: session start, one process (pid 7), the script's records, session end. */
export function recordingOf(records: readonly CaptureRecord[], process: Partial<ProcessRecord> = {}): Uint8Array {
  const writer = createRecordingWriter();
  const frames = [writer.header(FACTS)];
  const takeBlock = (): void => {
    const block = writer.takeBlock();
    if (block !== null) frames.push(writer.frame(block, null));
  };
  const lastNs = records.at(-1)?.tsNs ?? 3n;
  for (const record of [session('start', 1n), { ...PROCESS, ...process }, ...records, session('end', lastNs + 1n)]) {
    for (const piece of cut(record)) {
      if (
        piece.kind === 'process' ||
        piece.kind === 'counters' ||
        piece.kind === 'progress' ||
        piece.kind === 'call-facts' ||
        piece.kind === 'session'
      )
        writer.addUser(piece);
      else writer.addKernel(encodeRecord(piece));
      if (writer.isFull()) takeBlock();
    }
  }
  takeBlock();
  frames.push(writer.finish(false));
  return Buffer.concat(frames);
}

/** Writes a recording of what `act` scripts; returns `path`. */
export function writeRecording(path: string, act: (script: Script) => void, process?: Partial<ProcessRecord>): string {
  const script = new Script();
  act(script);
  writeFileSync(path, recordingOf(script.records, process), { mode: 0o600 });
  return path;
}

/** A request as HTTP/1.1 text, with Host, Content-Length and what is given. */
export function http1Request(
  line: string,
  host: string,
  headers: readonly string[],
  body: string | Uint8Array = '',
): Buffer {
  const bytes = Buffer.from(body);
  const length = bytes.length === 0 ? [] : [`Content-Length: ${bytes.length}`];
  const head = [`${line} HTTP/1.1`, `Host: ${host}`, ...headers, ...length, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head), bytes]);
}

export function http1Response(status: string, headers: readonly string[], body: string | Uint8Array = ''): Buffer {
  const bytes = Buffer.from(body);
  const head = [`HTTP/1.1 ${status}`, ...headers, `Content-Length: ${bytes.length}`, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head), bytes]);
}

/** Server-sent events of a chat completion that answers in the given pieces. */
export function chatEvents(pieces: readonly string[], model = 'gpt-4.1'): string {
  const chunk = (delta: object, finish: string | null) =>
    `data: ${JSON.stringify({ id: 'r1', model, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  return `${pieces.map((content) => chunk({ content }, null)).join('')}${chunk({}, 'stop')}data: [DONE]\n\n`;
}
