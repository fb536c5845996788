process.env.TZ = 'UTC';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TraceEvent } from '../../../src/model/index.ts';
import { SINKS } from '../../../src/sinks/index.ts';
import { call, memoryHost, OTHER_EVENTS, plainCall, summary } from '../events.ts';

interface View {
  readonly columns?: number | null;
  readonly colour?: boolean;
  readonly verbose?: boolean;
  readonly explain?: boolean;
}

async function shown(events: readonly TraceEvent[], view: View = {}): Promise<string[]> {
  const host = memoryHost(view.columns ?? null, view.colour ?? false);
  const sink = await SINKS[0]!.open({ verbose: view.verbose, explain: view.explain }, host);
  for (const event of events) sink.accept(event);
  return host.text().split('\n').slice(0, -1);
}

describe('one line per call', () => {
  it('shows time, process, class, model, status, tokens, first token and duration in columns', async () => {
    const lines = await shown([call(), plainCall()], { columns: 150 });
    expect(lines).toEqual([
      'TIME         PROCESS                CLASS                        MODEL                    ST      IN  CACHED    OUT   TTFT  TOTAL NOTE',
      '14:05:09.042 extension-host:4242    chat.completions agent.turn  gpt-4.1-2025-04-14      200   15320   14080    212  845ms  4.31s',
      '14:05:09.042 extension-host:4242    http.other                                           404                                 31ms GET example.com/a?b…',
    ]);
  });

  it('fits 80 columns without wrapping and keeps class, model, status and tokens', async () => {
    expect(await shown([call(), plainCall()], { columns: 80 })).toEqual([
      'TIME     CLASS              MODEL           ST      IN    OUT  TOTAL NOTE',
      '14:05:09 chat.completions … gpt-4.1-2025-… 200   15320    212  4.31s',
      '14:05:09 http.other                        404                  31ms GET exampl…',
    ]);
  });

  it('shortens a process by its role, never by its pid', async () => {
    expect((await shown([call()], { columns: 110 }))[1]).toContain(' extensi…:4242 ');
  });

  it('repeats the titles when the width has changed', async () => {
    let columns = 100;
    const host = { ...memoryHost(), columns: () => columns };
    const sink = await SINKS[0]!.open({}, host);
    sink.accept(call());
    sink.accept(call());
    columns = 90;
    sink.accept(call());
    expect(host.text().match(/TIME/g)).toHaveLength(2);
  });

  it('marks what was not seen whole', async () => {
    const response = { bytes: 9_000, decodedBytes: 0, lostBytes: 16_384, headers: [] };
    const noteOf = async (event: TraceEvent) => (await shown([event], { columns: 240 }))[1]?.replace(/^.*4\.31s ?/, '');
    expect(await noteOf(call({ response, captured: 'partly', joinedLate: true }))).toBe('gap 16.0 KiB, joined late');
    expect(await noteOf(call({ end: 'reset' }))).toBe('reset');
    expect(await noteOf(call({ end: 'lost', captured: 'partly' }))).toBe('lost');
    expect(await noteOf(call({ captured: 'partly' }))).toBe('incomplete');
    expect(await noteOf(call({ llm: { ...call().llm!, complete: false } }))).toBe('unfinished');
    const error = { code: 'rate_limited', message: 'slow down' };
    expect(await noteOf(call({ llm: { ...call().llm!, error } }))).toBe('rate_limited slow down');
  });

  it('says "-" for a status that was not learned', async () => {
    expect((await shown([plainCall({ status: null })], { columns: 150 }))[1]).toContain('  - ');
  });

  it('uses colour only when the host says so', async () => {
    const events = [call(), ...OTHER_EVENTS, summary()];
    expect((await shown(events)).join('')).not.toContain('\u001b');
    expect((await shown(events, { colour: true })).join('')).toContain('\u001b[32m200\u001b[0m');
  });
});

describe('other events', () => {
  it('prints losses and findings as they happen and nothing else', async () => {
    expect(await shown(OTHER_EVENTS)).toEqual([
      '14:05:09.042 lost 16,384 B of c3 in (ring full)',
      '14:05:09.042 high finding github-token in c3.5, message 2 #3fa9c1d2',
    ]);
  });

  it('says of a helper that its editor has ended, as long as it lives', async () => {
    const stale = OTHER_EVENTS.flatMap((e) => (e.type === 'process' ? [{ ...e, stale: true } as const] : [])).slice(
      0,
      1,
    );
    const exited = stale.map((e) => ({ ...e, phase: 'exited', exitCode: 0 }) as const);
    expect((await shown([...stale, ...exited], { verbose: true })).slice(0, 2)).toEqual([
      '14:05:09.042 extension-host:4242 found /usr/share/code/code · stale: the editor that started it has ended · boringssl hooked (SSL_read, SSL_write by anchors)',
      '14:05:09.042 extension-host:4242 exited with code 0 /usr/share/code/code',
    ]);
  });

  it('prints processes and connections when verbose', async () => {
    expect((await shown(OTHER_EVENTS, { verbose: true })).slice(0, 2)).toEqual([
      '14:05:09.042 extension-host:4242 found /usr/share/code/code · boringssl hooked (SSL_read, SSL_write by anchors)',
      '14:05:09.042 c3 identified at extension-host:4242 · http/2 · a.b',
    ]);
  });
});

describe('--verbose', () => {
  it('shows the id, the last user message, tool results, answer, tool calls and usage', async () => {
    expect((await shown([call()], { verbose: true })).slice(2)).toEqual([
      '  call      c3.5',
      '  prompt    Rename foo to bar.',
      '  results   [tool result: a.ts: 1: foo]',
      '  answer    Rename it.',
      '            Then run the tests.',
      '  tool      read_file {"path":"a.ts"}',
      '  usage     15,320 in · 14,080 cached · 212 out · finish tool_calls',
      '',
    ]);
  });

  it('shows the beginning of a very long text and counts the rest', async () => {
    const text = Array.from({ length: 100 }, (_, i) => `line ${i}`).join('\n');
    const lines = await shown([call({ llm: { ...call().llm!, text } })], { verbose: true });
    expect(lines).toContain('            line 39');
    expect(lines).toContain('            … 60 more lines');
    expect(lines).not.toContain('            line 40');
  });
});

describe('the summary', () => {
  it('sums up calls, cost and the reason, and says that nothing was lost', async () => {
    expect(await shown([summary()])).toEqual([
      '',
      '7 calls in 1m03s · 1 process · 4 connections · 79.3 KiB out, 2.2 MiB in',
      'calls     completions.inline 4',
      '          chat.completions   2',
      '          token              1',
      'loss      none',
      'cost      1,234 hooked calls · BPF 3ms · tracer CPU 412ms · ring peak 1.2 MiB of 16.0 MiB',
      'ended     interrupted',
    ]);
  });

  it('gives losses to the byte, by connection, direction and cause', async () => {
    const loss = OTHER_EVENTS.find((event) => event.type === 'loss')!;
    const lost = { out: 0, in: 32_769, incompleteCalls: 1 };
    const lines = await shown([loss, loss, { ...loss, bytes: 1, cause: 'fault' }, summary({ lost, complete: false })]);
    const at = lines.indexOf('loss      0 B out, 32,769 B in, 1 incomplete call');
    expect(lines.slice(at + 1, at + 3)).toEqual([
      '          c3     in        32,768 B  ring full',
      '          c3     in             1 B  fault',
    ]);
  });

  it('does not claim a clean capture when it was not complete', async () => {
    expect(await shown([summary({ complete: false })])).toContain('loss      none known; capture was incomplete');
  });
});

describe('hostile text', () => {
  const HOSTILE = '\u001b[2J\u001b]0;title\u0007\r\n\t\u009b31m\u202e\u2066\u200b\ud800\u{e0041}\u0000\u007f';
  const llm = {
    ...call().llm!,
    text: HOSTILE,
    model: HOSTILE,
    finishReason: HOSTILE,
    error: { code: HOSTILE, message: HOSTILE },
  };
  const hostile = [
    call({ role: HOSTILE, class: HOSTILE, kind: HOSTILE, llm }),
    plainCall({ host: HOSTILE, path: HOSTILE, method: HOSTILE }),
    ...OTHER_EVENTS.map((event) => ({
      ...event,
      cause: HOSTILE,
      role: HOSTILE,
      exe: HOSTILE,
      sni: HOSTILE,
      rule: HOSTILE,
      where: HOSTILE,
    })),
    summary({ reason: HOSTILE, callsByClass: { [HOSTILE]: 1 }, counters: { [HOSTILE]: 1 } }),
  ] as TraceEvent[];

  it('never reaches the terminal as control, bidi or invisible characters', async () => {
    for (const columns of [null, 200, 80]) {
      const text = (await shown(hostile, { columns, verbose: true })).join('\n');
      expect(text).not.toMatch(
        /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069]|\p{Surrogate}|[\u{e0000}-\u{e007f}]/u,
      );
      expect(text).toContain('␛[2J');
    }
  });

  it('cannot make a line longer than the terminal', async () => {
    const widths = (await shown(hostile, { columns: 100 })).slice(0, 3).map((line) => line.length);
    expect(Math.max(...widths)).toBeLessThanOrEqual(100);
  });

  it('holds for any text and width', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.integer({ min: 1, max: 250 }),
        async (text, columns) => {
          const event = call({ class: text, role: text, llm: { ...call().llm!, model: text, text } });
          const out = (await shown([event, plainCall({ path: text })], { columns, verbose: true })).join('');
          expect(out).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
        },
      ),
    );
  });
});

it('waits for its output to leave when flushed and closed', async () => {
  const waits: number[] = [];
  const host = { ...memoryHost(), drain: async (deadlineMs: number) => void waits.push(deadlineMs) };
  const sink = await SINKS[0]!.open({}, host);
  await sink.flush(250);
  await sink.close();
  expect(waits).toEqual([250, 1000]);
});

describe('what the router decided', () => {
  const router = (changes: object) =>
    plainCall({
      class: 'router.intent',
      service: { facts: 'router', label: 'needs_reasoning', confidence: 0.87, candidates: ['a', 'b'], ...changes },
    });

  it('stands in the line of its call: label, confidence and the chosen model or the candidates', async () => {
    expect((await shown([router({ chosen: 'b' })]))[1]).toMatch(/ router: needs_reasoning 0.87 → b$/);
    expect((await shown([router({})]))[1]).toMatch(/ router: needs_reasoning 0.87 → a, b$/);
  });

  it('says that it fell back, and why', async () => {
    const lines = await shown([
      router({ isFallback: true, fallbackReason: 'timeout', candidates: ['a'], label: undefined }),
    ]);
    expect(lines[1]).toMatch(/ router: fallback timeout 0.87 → a$/);
  });
});

describe('--explain', () => {
  it('says below each line which rule named the call and how sure it is', async () => {
    const lines = await shown([call({ confidence: 'medium' })], { explain: true });
    expect(lines[2]).toBe('  named by  path /chat/completions (confidence medium)');
  });
});
