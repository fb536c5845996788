// Counts over the records of a recording.

import type { CaptureRecord } from '../model/index.ts';

export interface RecordTotals {
  readonly byKind: Readonly<Record<string, number>>;
  /** Plaintext in data records. */
  readonly outBytes: number;
  readonly inBytes: number;
}

export class RecordingTotals {
  readonly #byKind = new Map<string, number>();
  readonly #bytes = { out: 0, in: 0 };
  firstNs = 0n;
  lastNs = 0n;

  add(record: CaptureRecord): void {
    this.#byKind.set(record.kind, (this.#byKind.get(record.kind) ?? 0) + 1);
    if (this.firstNs === 0n) this.firstNs = record.tsNs;
    if (record.tsNs > this.lastNs) this.lastNs = record.tsNs;
    if (record.kind === 'data') this.#bytes[record.dir] += record.bytes.length;
  }

  get durationMs(): number {
    return Number((this.lastNs - this.firstNs) / 1_000_000n);
  }

  totals(): RecordTotals {
    return {
      byKind: Object.fromEntries([...this.#byKind].sort(([a], [b]) => (a < b ? -1 : 1))),
      outBytes: this.#bytes.out,
      inBytes: this.#bytes.in,
    };
  }
}
