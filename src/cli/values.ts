// Values as people type them on a command line: sizes, durations, pids. Bad ones end in a one-line error from commander.

import { InvalidArgumentError } from 'commander';

const SIZE_UNITS: Readonly<Record<string, number>> = { '': 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 };

/** `64K`, `16M`, `1G`, or bytes. */
export function parseSize(text: string): number {
  const match = /^(\d+)\s*([KMG]?)(?:i?B)?$/i.exec(text.trim());
  const unit = SIZE_UNITS[(match?.[2] ?? '').toUpperCase()];
  if (match?.[1] === undefined || unit === undefined)
    throw new InvalidArgumentError('expected a size such as 64K or 16M.');
  return Number(match[1]) * unit;
}

/** Smallest and largest ring: one page below the smallest record class makes no sense, above 1 GiB the kernel refuses. */
const RING_MIN_BYTES = 4096 * 4;
const RING_MAX_BYTES = 1024 ** 3;

/** A size that the kernel takes for a ring buffer: a power of two between 16 KiB and 1 GiB. */
export function parseRingSize(text: string): number {
  const bytes = parseSize(text);
  if (bytes < RING_MIN_BYTES || bytes > RING_MAX_BYTES || Math.log2(bytes) % 1 !== 0) {
    throw new InvalidArgumentError('expected a power of two between 16K and 1G, e.g. 16M.');
  }
  return bytes;
}

const DURATION_UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `500ms`, `30s`, `5m`, `1h`; a plain number is seconds. Returns milliseconds. */
export function parseDuration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)?$/.exec(text.trim());
  if (match?.[1] === undefined) throw new InvalidArgumentError('expected a duration such as 30s, 5m or 500ms.');
  return Number(match[1]) * (DURATION_UNITS_MS[match[2] ?? 's'] ?? 1000);
}

/** A positive whole number. */
export function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1) throw new InvalidArgumentError('expected a whole number from 1.');
  return count;
}

/** Collects `--pid 1 --pid 2` and `--pid 1,2`. */
export function collectPids(text: string, before: readonly number[] = []): readonly number[] {
  return [...before, ...text.split(',').map((part) => parseCount(part.trim()))];
}
