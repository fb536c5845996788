import { describe, expect, it } from 'vitest';
import { SINKS } from '../../src/sinks/index.ts';
import { call, memoryHost, OTHER_EVENTS, plainCall, summary } from './events.ts';

const sink = SINKS.find((row) => row.name === 'ndjson')!;

describe('NDJSON', () => {
  it('is selected by --json', () => {
    expect(sink.flag).toBe('json');
  });

  it('gives every event as one line that parses back to it', async () => {
    const host = memoryHost();
    const events = [call(), plainCall(), ...OTHER_EVENTS, summary()];
    const open = await sink.open({}, host);
    for (const event of events) open.accept(event);
    const lines = host.text().split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => JSON.parse(line))).toEqual(events);
  });

  it('puts the keys in the same order however the event was made', async () => {
    const reversed = Object.fromEntries(Object.entries(OTHER_EVENTS[4]!).reverse()) as unknown as ReturnType<
      typeof call
    >;
    const host = memoryHost();
    (await sink.open({}, host)).accept(reversed);
    expect(host.text().slice(0, 76)).toBe(
      '{"type":"loss","time":"2026-03-01T14:05:09.042Z","tsNs":"12345678901234567",',
    );
  });

  it('writes lone surrogates and control characters as escapes', async () => {
    const host = memoryHost();
    (await sink.open({}, host)).accept(call({ class: 'a\ud800\u001b\u0000\n' }));
    expect(host.text()).toContain('"class":"a\\ud800\\u001b\\u0000\\n"');
    expect(host.text()).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });

  it('escapes what else could steer a terminal or reorder a line, as the same value', async () => {
    const host = memoryHost();
    (await sink.open({}, host)).accept(call({ class: 'a\u007f\u009b31m\u202ex\u2066é' }));
    expect(host.text()).toContain('"class":"a\\u007f\\u009b31m\\u202ex\\u2066é"');
    expect(JSON.parse(host.text()).class).toBe('a\u007f\u009b31m\u202ex\u2066é');
  });

  it('waits for its output to leave', async () => {
    const waits: number[] = [];
    const host = { ...memoryHost(), drain: async (deadlineMs: number) => void waits.push(deadlineMs) };
    const open = await sink.open({}, host);
    await open.flush(30);
    await open.close();
    expect(waits).toEqual([30, 1000]);
  });
});
