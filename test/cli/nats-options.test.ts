import { expect, test } from 'vitest';
import { natsSettings } from '../../src/cli/nats-options.ts';

const NATS = { nats: ['nats://bus:4222'] };

test('nothing is published without --nats', () => {
  expect(natsSettings('attach', {})).toBeUndefined();
});

test('a stream has a name and limits of its own unless they are given', () => {
  expect(natsSettings('attach', { ...NATS, jetstream: true })?.stream).toEqual({
    name: 'TRACER',
    maxAgeMs: 7 * 24 * 3_600_000,
    maxBytes: 10 * 1024 ** 3,
  });
  expect(natsSettings('attach', { ...NATS, jetstream: 'FLEET', streamMaxBytes: 5 })?.stream).toMatchObject({
    name: 'FLEET',
    maxBytes: 5,
  });
  expect(natsSettings('attach', NATS)?.stream).toBeNull();
});

test('secrets are published only when that was asked for twice', () => {
  expect(() => natsSettings('attach', { ...NATS, reveal: true })).toThrow(
    expect.objectContaining({ code: 'E_CLI_USAGE' }),
  );
  expect(natsSettings('attach', { ...NATS, reveal: true, revealToNats: true })?.urls).toEqual(NATS.nats);
});
