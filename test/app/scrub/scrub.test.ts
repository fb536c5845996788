// The canary session made shareable: no canary in the bytes of the file or behind their decoding, and the same calls.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnalysedCall, analyse, type Log } from '../../../src/app/index.ts';
import { scrub } from '../../../src/app/scrub/scrub.ts';
import type { CallEvent, CaptureRecord } from '../../../src/model/index.ts';
import { type CanarySession, canarySession, leaksIn } from '../../kit/canary-session.ts';
import { recordingOf } from '../../kit/session-file.ts';

const quiet: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const stop = new AbortController().signal;
let dir = '';
let session: CanarySession;
let secrets = 0;
const path = (name: string): string => join(dir, name);

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tracer-scrub-'));
  session = await canarySession();
  writeFileSync(path('in.trc'), session.recording);
  const result = await scrub({ files: [path('in.trc')], outputFile: path('out.trc'), user: 'me', log: quiet, stop });
  secrets = result.secrets;
});
afterAll(() => rmSync(dir, { recursive: true }));

async function read(name: string, reveal: boolean): Promise<{ calls: CallEvent[]; plain: string; bodies: string }> {
  const calls: CallEvent[] = [];
  const plain: Buffer[] = [];
  const bodies: string[] = [];
  await analyse(
    path(name),
    { reveal, keepBodies: true, key: new Uint8Array(32), log: quiet, stop },
    {
      record: (record: CaptureRecord) => {
        plain.push(
          Buffer.from(
            record.kind === 'data'
              ? record.bytes
              : JSON.stringify(record, (_, v) => (typeof v === 'bigint' ? String(v) : v)),
          ),
        );
      },
      call: ({ event, raw }: AnalysedCall) => {
        calls.push(event);
        bodies.push(raw.bodies?.request.text ?? '', raw.bodies?.response.text ?? '');
      },
    },
  );
  return { calls, plain: Buffer.concat(plain).toString('latin1'), bodies: bodies.join('\n') };
}

/** What a scrubbed recording keeps of a call: all but fingerprints and the sizes of compressed bodies. */
function comparable(call: CallEvent): object {
  const text = JSON.stringify(call, (name, value) =>
    name === 'headers'
      ? value.filter(([field]: [string]) => !['content-length', 'transfer-encoding'].includes(field))
      : value,
  );
  const { request, response, ...rest } = JSON.parse(text.replace(/ #[0-9a-f]{8}>/g, '>'));
  const side = ({ headers, decodedBytes, lostBytes }: CallEvent['request']) => ({ headers, decodedBytes, lostBytes });
  return { ...rest, request: side(request), response: side(response) };
}

describe('a scrubbed recording', () => {
  it('has no canary: not in its bytes, not in what they decode to', async () => {
    expect(leaksIn(readFileSync(path('out.trc'), 'latin1'), session.canaries)).toEqual([]);
    const { calls, plain, bodies } = await read('out.trc', true);
    expect(leaksIn(plain, session.canaries)).toEqual([]);
    expect(leaksIn(bodies, session.canaries)).toEqual([]);
    expect(leaksIn(JSON.stringify(calls), session.canaries)).toEqual([]);
    expect(secrets).toBeGreaterThan(40);
  });

  it('replays to the same calls: ids, times, classes, models, texts, usage, kinds of secrets', async () => {
    const [before, after] = [await read('in.trc', false), await read('out.trc', false)];
    expect(after.calls.map(comparable)).toEqual(before.calls.map(comparable));
    expect(before.calls.length).toBeGreaterThan(20);
  });

  it('is private, too, and says nothing about the machine', async () => {
    expect(statSync(path('out.trc')).mode & 0o777).toBe(0o600);
    const { plain } = await read('out.trc', true);
    expect(plain).toContain('"host":""');
  });

  it('keeps its clock: merged with another recording, both keep their times', async () => {
    const other = 'test/sessions/retry/session.trc';
    await scrub({ files: [other], outputFile: path('other.trc'), user: 'me', log: quiet, stop });
    const timesOf = async (...files: string[]): Promise<string[]> => {
      const times: string[] = [];
      const settings = { reveal: false, key: new Uint8Array(32), log: quiet, stop };
      const { problem } = await analyse(files, settings, {
        call: ({ event }: AnalysedCall) => void times.push(event.time),
      });
      expect(problem).toBeNull();
      return times.sort();
    };
    const apart = [...(await timesOf(path('in.trc'))), ...(await timesOf(other))].sort();
    expect(await timesOf(path('out.trc'), other)).toEqual(apart);
    expect(await timesOf(path('out.trc'), path('other.trc'))).toEqual(apart);
  });

  it('scrubbed again stays the same size, with other placeholders', async () => {
    await scrub({ files: [path('out.trc')], outputFile: path('again.trc'), user: 'me', log: quiet, stop });
    const [once, twice] = [await read('out.trc', false), await read('again.trc', false)];
    expect(twice.calls.map(comparable)).toEqual(once.calls.map(comparable));
  });

  it('knows the secrets in facts of a call that were kept beside its heads', async () => {
    const secret = `ghu_${'Zx9'.repeat(12)}`;
    const [data] = session.records.filter((record) => record.kind === 'data');
    const { pid, startNs, ssl, generation, tsNs } = data!;
    const json = JSON.stringify({ path: `/ws?token=${secret}`, llm: { toolCalls: [{ id: secret, name: 'run' }] } });
    const facts = { kind: 'call-facts' as const, pid, startNs, ssl, generation, tsNs, ageNs: 0n, exchange: 1, json };
    writeFileSync(path('facts.trc'), recordingOf([...session.records, facts]));
    await scrub({ files: [path('facts.trc')], outputFile: path('facts-out.trc'), user: 'me', log: quiet, stop });
    const { plain } = await read('facts-out.trc', true);
    expect(plain).toContain('call-facts');
    expect(plain).toContain('/ws?token=');
    expect(plain).not.toContain(secret.slice(0, 12));
  });
});
