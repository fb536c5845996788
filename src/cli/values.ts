// Values as people type them on a command line: sizes, durations, pids. Bad ones end in a one-line error from commander.

import { InvalidArgumentError } from 'commander';
import { checkFilter } from '../app/index.ts';

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

const DURATION_UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `500ms`, `30s`, `5m`, `1h`, `7d`; a plain number is seconds. Returns milliseconds. */
export function parseDuration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)?$/.exec(text.trim());
  if (match?.[1] === undefined) throw new InvalidArgumentError('expected a duration such as 500ms, 30s, 5m, 1h or 7d.');
  return Number(match[1]) * (DURATION_UNITS_MS[match[2] ?? 's'] ?? 1000);
}

/** When a recording begins a new part: at this size, or after this time. */
export type RotateLimit = { readonly maxBytes: number } | { readonly maxAgeMs: number };

/** The smallest part that makes sense is one block; below a second there would be a file per block. */
const MIN_PART_BYTES = 256 * 1024;
const MIN_PART_AGE_MS = 1000;

/** `500M`, `1G` (capital letters: sizes), `30m`, `1h` (small letters: times). */
export function parseRotate(text: string): RotateLimit {
  const limit = /^\d+[KMG](?:i?B)?$/.test(text.trim())
    ? { maxBytes: parseSize(text) }
    : { maxAgeMs: /[a-z]$/.test(text.trim()) ? parseDuration(text) : 0 };
  const isLarge = 'maxBytes' in limit ? limit.maxBytes >= MIN_PART_BYTES : limit.maxAgeMs >= MIN_PART_AGE_MS;
  if (!isLarge) throw new InvalidArgumentError('expected a size from 256K such as 500M, or a time from 1s such as 1h.');
  return limit;
}

/** `1x`, `10x`, `0.5x`: times as fast as it happened; `max`: undefined. */
export function parseSpeed(text: string): number | undefined {
  if (text === 'max') return undefined;
  const factor = Number(/^(\d+(?:\.\d+)?)x?$/.exec(text)?.[1]);
  if (!(factor > 0)) throw new InvalidArgumentError('expected 1x, 10x, … or max.');
  return factor;
}

/** A positive whole number. */
export function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1) throw new InvalidArgumentError('expected a whole number from 1.');
  return count;
}

/** Collects `--allow-host a --allow-host b` and `--allow-host a,b`: names, or `*.` and a name. */
export function collectHosts(text: string, before: readonly string[] = []): readonly string[] {
  const hosts = text.split(',').map((part) => part.trim().toLowerCase());
  const bad = hosts.find((host) => !/^(?:\*\.)?[a-z0-9_[\]:-]+(?:\.[a-z0-9_-]+)*$/.test(host));
  if (bad !== undefined)
    throw new InvalidArgumentError('expected a host name such as api.example.com or *.example.com.');
  return [...before, ...hosts];
}

/** A filter that can be read (docs/filters.md). Throws E_FILTER_INVALID. */
export function parseFilter(text: string): string {
  checkFilter(text);
  return text;
}

/** A moment: `2026-03-01T14:05:00Z` (UTC when no zone is given), or `+90s` after the start. */
export function parseMoment(text: string): { readonly utcMs: number } | { readonly afterMs: number } {
  if (/^\+\s*\d/.test(text)) return { afterMs: parseDuration(text.slice(1)) };
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text);
  const utcMs = /^\d{4}-\d\d-\d\d/.test(text)
    ? Date.parse(hasZone || text.length <= 10 ? text : `${text}Z`)
    : Number.NaN;
  if (Number.isNaN(utcMs))
    throw new InvalidArgumentError('expected a time such as 2026-03-01T14:05:00Z, or +90s, +5m, +1h after the start.');
  return { utcMs };
}

/** Collects `--pid 1 --pid 2` and `1,2`. */
export function collectPids(text: string, before: readonly number[] = []): readonly number[] {
  return [...before, ...text.split(',').map((part) => parseCount(part.trim()))];
}

/** Collects `--class a --class b` and `a,b`. */
export const collectClasses = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...text.split(',').map((part) => part.trim()),
];

const MAX_PORT = 65_535;

/** A TCP port; 0: any that is free. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > MAX_PORT) throw new InvalidArgumentError('expected a port from 0 to 65535.');
  return port;
}
