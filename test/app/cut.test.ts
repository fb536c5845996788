import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { analyse, type CutSelection, cut, info } from '../../src/app/index.ts';
import type { CallEvent } from '../../src/model/index.ts';
import { exchange, RECORDING_FACTS, recordingFile, scratch } from '../kit/recording.ts';
import type { Script } from '../kit/records.ts';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const settings = { reveal: false, key: new Uint8Array(32), log: silent, stop: new AbortController().signal };

async function callsOf(...files: string[]) {
  const calls: CallEvent[] = [];
  const { problem, files: endings } = await analyse(files, settings, {
    call: ({ event }: { event: CallEvent }) => void calls.push(event),
  });
  expect([problem, ...endings.map(({ end }) => end.state)]).toEqual([null, ...files.map(() => 'whole')]);
  return calls;
}

const pathsOf = (calls: readonly CallEvent[]) => calls.map((call) => call.path);

const NOTHING: CutSelection = { conversations: [], classes: [] };

async function cutTo(files: readonly string[], selection: Partial<CutSelection>) {
  const output = scratch('out.trc');
  const result = await cut({ ...settings, files, output, selection: { ...NOTHING, ...selection } });
  expect(statSync(output).mode & 0o777).toBe(0o600);
  return { output, result };
}

const SECOND = 1_000_000_000n;

/** Two connections; on the first a chat, models, and another chat, a second apart each; on the second a token. */
function session(script: Script): void {
  const first = script.connection().sni('api.githubcopilot.com');
  exchange(first, { path: '/chat/completions', request: '{"model":"m","messages":[{"role":"user","content":"one"}]}' });
  script.nowNs += SECOND;
  exchange(first, { path: '/models' });
  script.nowNs += SECOND;
  const second = script.connection({ ssl: 0xb0n });
  exchange(second, { host: 'api.github.com', path: '/copilot_internal/v2/token' });
  exchange(first, {
    path: '/chat/completions?2',
    request: '{"model":"m","messages":[{"role":"user","content":"two"}]}',
  });
  first.close();
  second.close();
}

describe('a cut recording', () => {
  test('has the calls of a class, and those before them on their connections', async () => {
    const { output, result } = await cutTo([recordingFile(session)], { classes: ['copilot.unknown'] });
    expect(pathsOf(await callsOf(output))).toEqual(['/chat/completions', '/models']);
    expect(result).toMatchObject({ calls: 1, others: 1, connections: 1 });
  });

  test('has calls that are the same, byte for byte, as those of the whole', async () => {
    const whole = recordingFile(session);
    const { output } = await cutTo([whole], { classes: ['chat.*'] });
    const chats = (calls: readonly CallEvent[]) => calls.filter((call) => call.class.startsWith('chat.'));
    expect(chats(await callsOf(output))).toEqual(chats(await callsOf(whole)));
  });

  test('has the calls that begin between two moments', async () => {
    const { output } = await cutTo([recordingFile(session)], { from: { afterMs: 1500 } });
    expect(pathsOf(await callsOf(output))).toContain('/chat/completions?2');
    const { output: first } = await cutTo([recordingFile(session)], {
      to: { utcMs: Date.parse('2026-03-01T14:05:09.500Z') },
    });
    expect(pathsOf(await callsOf(first))).toEqual(['/chat/completions']);
  });

  test('has the calls of a conversation', async () => {
    const { output } = await cutTo([recordingFile(session)], { conversations: [1] });
    expect(pathsOf(await callsOf(output))).toEqual(['/chat/completions']);
  });

  test('that would hold no call is refused', async () => {
    await expect(cutTo([recordingFile(session)], { classes: ['embeddings'] })).rejects.toMatchObject({
      code: 'E_RECORDING_NOTHING',
      exitCode: 45,
    });
  });
});

test('several recordings without a choice become one with all calls; the same one twice is refused', async () => {
  const act = (script: Script): void => {
    const connection = script.connection({ pid: 99 });
    exchange(connection, { path: '/other' });
    connection.close();
  };
  const whole = recordingFile(session);
  const other = recordingFile(act, { ...RECORDING_FACTS, bootId: 'another', wallNs: RECORDING_FACTS.wallNs + SECOND });
  const { output, result } = await cutTo([other, whole], {});
  expect(result).toMatchObject({ calls: 5, others: 0, connections: 3 });
  const calls = await callsOf(output);
  expect(pathsOf(calls).slice(0, 3)).toEqual(['/chat/completions', '/other', '/models']);
  expect(await callsOf(whole, other)).toEqual(calls);
  await expect(cutTo([whole, whole], {})).rejects.toMatchObject({ code: 'E_RECORDING_SAME', exitCode: 43 });
});

test('a cut of nothing says so: no recording is an error, one in which nothing was captured a warning', async () => {
  const empty = scratch('empty.trc');
  writeFileSync(empty, '');
  const output = scratch('out.trc');
  const warnings: string[] = [];
  const log = { ...silent, warn: (text: string) => void warnings.push(text) };
  const cutOf = (files: string[]) => cut({ ...settings, log, files, output, selection: NOTHING });
  await expect(cutOf([empty])).rejects.toMatchObject({ code: 'E_RECORDING_CORRUPT', exitCode: 41 });
  expect(existsSync(output)).toBe(false);
  const quiet = recordingFile(() => {});
  expect(await cutOf([quiet])).toMatchObject({ calls: 0, connections: 0, problem: null });
  expect(warnings).toContain(`no connection was captured in ${quiet}: there is none to keep`);
});

test('what comes before damage is cut, and the damage is the problem', async () => {
  const whole = readFileSync(recordingFile(session));
  const damaged = scratch('damaged.trc');
  writeFileSync(damaged, Buffer.concat([whole, Buffer.alloc(90, 0xff)]));
  const { result, output } = await cutTo([damaged], {});
  expect(result).toMatchObject({ calls: 4, problem: { code: 'E_RECORDING_CORRUPT', exitCode: 41 } });
  expect(await callsOf(output).catch(() => null)).not.toBeNull();
});

test('info says what a recording is', async () => {
  const path = recordingFile(session);
  const { info: facts, exitCode } = await info([path], { ...settings, quick: false });
  expect(exitCode).toBe(0);
  expect(facts).toMatchObject({
    from: '2026-03-01T14:05:09.042Z',
    to: '2026-03-01T14:05:11.042Z',
    durationMs: 2000,
    records: 13,
    contents: { byKind: { session: 2, sni: 1, data: 8, close: 2 } },
    summary: { calls: 4, connections: 2, callsByClass: { 'chat.completions': 2, 'auth.token': 1 } },
    files: [
      { path, bytes: statSync(path).size, state: 'whole', formatVersion: 2, hasIndex: true, host: 'workstation' },
    ],
  });
  expect(facts.files[0]?.contentBytes).toBeGreaterThan(facts.contents?.outBytes ?? Number.NaN);
  const { info: quick } = await info([path], { ...settings, quick: true });
  expect(quick).toMatchObject({ from: facts.from, to: facts.to, durationMs: 2000, records: 13, contents: null });
  expect(quick.files).toMatchObject([{ bytes: facts.files[0]?.bytes, contentBytes: facts.files[0]?.contentBytes }]);
});

test('a file without an index is read, quick or not', async () => {
  const path = scratch('v1.trc');
  copyFileSync(new URL('../vectors/recording/v1.rec', import.meta.url), path);
  const { info: facts } = await info([path], { ...settings, quick: true });
  expect(facts).toMatchObject({ records: 12, contents: { byKind: { session: 2 } }, files: [{ hasIndex: false }] });
});
