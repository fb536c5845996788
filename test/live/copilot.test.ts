// The Copilot-like client from attach to classified calls: what every call is, what the models said, and no secret anywhere.
import { readFileSync, statSync } from 'node:fs';
import { expect } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import type { CallEvent } from '../../src/model/index.ts';
import { DAEMON_UID, runAsUser, SUDO_BY_DAEMON, whyNotAsUser } from '../kit/as-user.ts';
import { startCopilotClient } from '../kit/clients.ts';
import { live, scratch, traceClient } from '../kit/live.ts';
import { startService } from '../kit/service.ts';
import { runTracer, Tracer } from '../kit/tracer.ts';
import type { Expectation, Truth } from '../kit/truth.ts';

/** HTTP exchanges of the scripted client, and its turns on the WebSocket. */
const EXCHANGES = 18;
const SOCKET_TURNS = 2;
/** Parts of the client's and the service's secrets; none may be printed. */
const SECRETS = ['FAKEFAKE', 'FAKEMAC', 'FAKEPAYLOAD', 'FAKESIGNATURE', 'FAKE0000standin'];

type Named = Pick<Expectation, 'class'> & { readonly llm?: object };

const llmOf = ({
  dialect,
  model,
  text,
  thinking,
  toolCalls,
  usage,
  finishReason,
}: NonNullable<Expectation['llm']>) => ({
  dialect,
  model,
  text,
  thinking: thinking ?? '',
  toolCalls: toolCalls.map(({ id, name, argumentsText }) => ({ id, name, argumentsText })),
  usage: { input: usage.input, cached: usage.cached, output: usage.output },
  finishReason,
});

const fromTruth = ({ expect: wanted }: Truth): Named =>
  wanted?.llm ? { class: wanted.class, llm: llmOf(wanted.llm) } : { class: wanted?.class ?? 'none' };

/** Calls without an answer of a model in the stand-in's truth (embeddings) are compared by class alone. */
const fromCall = ({ class: name, llm }: CallEvent): Named =>
  llm && !name.startsWith('embeddings.')
    ? { class: name, llm: llmOf(llm as NonNullable<Expectation['llm']>) }
    : { class: name };

const sorted = (list: readonly Named[]): Named[] =>
  [...list].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

/** The connection that carries the WebSocket also shows its handshake as a call of its own. */
const isHandshake = (call: CallEvent): boolean => call.status === 101 && !call.llm;

live('every call has its class, and every answer its text, tools, usage and end', async () => {
  await using service = await startService();
  using dir = scratch();
  await using client = await startCopilotClient(service);
  const { run } = await traceClient(client, dir.path('session.trc'));
  const truth = await service.settled(EXCHANGES + SOCKET_TURNS);
  const calls = run.calls.filter((call) => !isHandshake(call));
  expect(sorted(calls.map(fromCall))).toEqual(sorted(truth.map(fromTruth)));
  expect(run.exitCode).toBe(EXIT.ok);
  expect(calls.filter((call) => call.timing.durationMs < 0 || call.captured !== 'whole')).toEqual([]);
});

live('no secret is printed, in any form of output, and each keeps its scheme and a fingerprint', async () => {
  await using service = await startService();
  using dir = scratch();
  await using client = await startCopilotClient(service);
  const { run } = await traceClient(client, dir.path('session.trc'));
  const shown = await runTracer('replay', dir.path('session.trc'), '-v');
  const printed = [run.stdout, run.stderr, shown.stdout, shown.stderr].join('\n');
  expect(SECRETS.filter((secret) => printed.includes(secret))).toEqual([]);
  const headers = run.calls.flatMap((call) => call.request.headers).filter(([name]) => name === 'authorization');
  expect(headers.length).toBeGreaterThan(10);
  expect(headers.filter(([, value]) => !/^(Bearer|token) /.test(value))).toEqual([]);
  expect(new Set(headers.map(([, value]) => value)).size).toBe(3);
});

live('a replay prints the same call objects as the live run, byte for byte', async () => {
  await using service = await startService();
  using dir = scratch();
  await using client = await startCopilotClient(service);
  // The same user for both: fingerprints of secrets are keyed per user.
  const { run } = await traceClient(client, dir.path('session.trc'), '--user', 'root');
  const replayed = await runTracer('replay', dir.path('session.trc'), '--json');
  expect(run.callLines.length).toBeGreaterThanOrEqual(EXCHANGES + SOCKET_TURNS);
  expect(replayed.callLines).toEqual(run.callLines);
  expect(replayed.exitCode).toBe(EXIT.ok);
});

live('a replay needs no root: the user who recorded sees the same calls', async ({ skip }) => {
  const reason = whyNotAsUser();
  if (reason !== null) return skip(reason);
  await using service = await startService();
  using dir = scratch();
  await using client = await startCopilotClient(service);
  await using tracer = await Tracer.attachAs(SUDO_BY_DAEMON, client.pid, '--record', dir.path('session.trc'));
  client.go();
  const run = await tracer.end();
  const replayed = await runAsUser({}, 'replay', dir.path('session.trc'), '--json');
  const named = (calls: readonly CallEvent[]) =>
    calls.map(({ id, time, class: name, llm }) => ({ id, time, name, llm }));
  expect(named(replayed.calls)).toEqual(named(run.calls));
  expect(replayed.exitCode).toBe(EXIT.ok);
});

/** Fields of /proc/PID/status by name. */
const statusOf = (pid: number): Map<string, string> =>
  new Map(
    readFileSync(`/proc/${pid}/status`, 'utf8')
      .split('\n')
      .map((line): [string, string] => [line.split(':')[0] ?? '', line.slice(line.indexOf(':') + 1).trim()]),
  );

/** Bits of capabilities(7) that a tracer that only reads must not keep. */
const FORBIDDEN = { CAP_DAC_OVERRIDE: 1n, CAP_SETGID: 6n, CAP_SETUID: 7n, CAP_SYS_MODULE: 16n };

live(
  'after attaching it runs as the user who called sudo, with few capabilities, and the recording is that user’s',
  async () => {
    await using service = await startService();
    using dir = scratch();
    await using client = await startCopilotClient(service, ['--no-socket']);
    await using tracer = await Tracer.attachAs(SUDO_BY_DAEMON, client.pid, '--record', dir.path('session.trc'));
    const status = statusOf(tracer.pid);
    expect(status.get('Uid')).toBe(Array(4).fill(DAEMON_UID).join('\t'));
    expect(status.get('Gid')).toBe(Array(4).fill(DAEMON_UID).join('\t'));
    const kept = BigInt(`0x${status.get('CapEff')}`);
    expect(Object.entries(FORBIDDEN).filter(([, bit]) => (kept >> bit) & 1n)).toEqual([]);
    client.go();
    const run = await tracer.end();
    expect(run.calls.length).toBe(EXCHANGES);
    const file = statSync(dir.path('session.trc'));
    expect([file.uid, file.gid, file.mode & 0o777]).toEqual([DAEMON_UID, DAEMON_UID, 0o600]);
  },
);
