// Quotas over time: from response headers (`x-quota-snapshot-*`), from the WebSocket's final events, and from the account.
// Only changes are kept.

import { quotaOf } from '../copilot/index.ts';
import { objectOf } from '../dialects/index.ts';
import type { CallCompleted, CallId, HeaderField, QuotaInfo } from '../model/index.ts';

export interface QuotaPoint {
  readonly call: CallId;
  readonly atNs: bigint;
  readonly source: 'header' | 'websocket' | 'account';
  readonly quota: QuotaInfo;
  /** Requests used of the entitlement; absent when unlimited or not told. */
  readonly used?: number;
}

export interface QuotaSeries {
  readonly name: string;
  readonly points: readonly QuotaPoint[];
  /** Snapshots seen, unchanged ones included. */
  readonly snapshots: number;
}

/** Changes that are kept of one quota, and quotas. */
const MAX_POINTS = 500;
const MAX_NAMES = 50;

const PREFIX = 'x-quota-snapshot-';

export class QuotaLog {
  readonly #series = new Map<string, { points: QuotaPoint[]; snapshots: number }>();

  accept(call: CallCompleted): void {
    for (const [name, value] of call.response.headers)
      if (name.startsWith(PREFIX)) this.#add(call, name.slice(PREFIX.length), 'header', quotaOfHeader(value));
    for (const { type, json } of call.llm?.other ?? [])
      if (type === 'copilot_quota_snapshots')
        for (const [name, value] of Object.entries(objectOf(json)).slice(0, MAX_NAMES))
          this.#add(call, name, 'websocket', quotaOf(value));
    if (call.service?.facts === 'account')
      for (const [name, quota] of Object.entries(call.service.quotas ?? {})) this.#add(call, name, 'account', quota);
  }

  list(): readonly QuotaSeries[] {
    return [...this.#series].map(([name, { points, snapshots }]) => ({ name, points, snapshots }));
  }

  #add({ id, tsNs }: CallCompleted, name: string, source: QuotaPoint['source'], quota: QuotaInfo | undefined): void {
    if (quota === undefined) return;
    const series = this.#series.get(name) ?? { points: [], snapshots: 0 };
    if (!this.#series.has(name) && this.#series.size >= MAX_NAMES) return;
    this.#series.set(name, series);
    series.snapshots += 1;
    const last = series.points.at(-1);
    if (last !== undefined && sameQuota(last.quota, quota)) return;
    // The first point and the newest ones tell the most.
    if (series.points.length >= MAX_POINTS) series.points.splice(1, 1);
    const used = usedOf(quota);
    series.points.push({ call: id, atNs: tsNs, source, quota, ...(used === undefined ? {} : { used }) });
  }
}

const sameQuota = (a: QuotaInfo, b: QuotaInfo): boolean =>
  a.entitlement === b.entitlement && a.percentRemaining === b.percentRemaining && a.overageUsed === b.overageUsed;

/** Entitlement times what is gone of it, plus what went beyond; to a tenth, as percentages are rounded. */
function usedOf({ entitlement, percentRemaining, overageUsed }: QuotaInfo): number | undefined {
  if (entitlement === null || percentRemaining === null) return undefined;
  return Math.round((entitlement * (1 - percentRemaining / 100) + (overageUsed ?? 0)) * 10) / 10;
}

/** URL-encoded pairs: `ent`, `rem` (percent), `ov`, `ovPerm`, `rst`. */
function quotaOfHeader(value: string): QuotaInfo | undefined {
  const pairs = new Map(value.split('&', 20).map((pair) => [pair.split('=', 1)[0] ?? '', decoded(pair)] as const));
  const number = (name: string): number | undefined => {
    const text = pairs.get(name);
    return text === undefined || text === '' || Number.isNaN(Number(text)) ? undefined : Number(text);
  };
  const entitlement = number('ent');
  if (entitlement === undefined) return undefined;
  const [overageUsed, resets] = [number('ov'), pairs.get('rst')];
  return {
    entitlement: entitlement === -1 ? null : entitlement,
    percentRemaining: number('rem') ?? null,
    ...(overageUsed === undefined ? {} : { overageUsed }),
    ...(pairs.has('ovPerm') ? { isOverageAllowed: pairs.get('ovPerm') === 'true' } : {}),
    ...(resets === undefined ? {} : { resets }),
  };
}

function decoded(pair: string): string {
  const text = pair.slice(pair.indexOf('=') + 1, 256);
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign: as sent.
    return text;
  }
}

/** Name of the limit that was hit, and when to come back, from the answer's headers. */
export function limitOf(headers: readonly HeaderField[]): { readonly exceeded?: string; readonly retryAfter?: string } {
  const value = (name: string): string | undefined => headers.find(([field]) => field === name)?.[1].slice(0, 100);
  const [exceeded, retryAfter] = [value('x-ratelimit-exceeded'), value('retry-after')];
  return { ...(exceeded === undefined ? {} : { exceeded }), ...(retryAfter === undefined ? {} : { retryAfter }) };
}
