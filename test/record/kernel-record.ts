// Builds kernel records as bpf/event.h lays them out, for tests of everything that decodes them.

export interface KernelRecordFields {
  readonly kind: number;
  readonly tsNs?: bigint;
  readonly startNs?: bigint;
  readonly ssl?: bigint;
  readonly offset?: bigint;
  readonly aux?: bigint;
  readonly pid?: number;
  readonly tid?: number;
  readonly generation?: number;
  readonly hook?: number;
  readonly dir?: number;
  readonly flags?: number;
  readonly payload?: Uint8Array | string;
}

const bytesOf = (payload: Uint8Array | string): Uint8Array =>
  typeof payload === 'string' ? new TextEncoder().encode(payload) : payload;

/** One record: 64 bytes of header, then the payload. Fields that are not given get distinct values. */
export function kernelRecord(fields: KernelRecordFields): Uint8Array {
  const payload = bytesOf(fields.payload ?? '');
  const out = new Uint8Array(64 + payload.length);
  const view = new DataView(out.buffer);
  view.setBigUint64(0, fields.tsNs ?? 5_000_000_000n, true);
  view.setBigUint64(8, fields.startNs ?? 4_000_000_000n, true);
  view.setBigUint64(16, fields.ssl ?? 0x7f00_0000_1000n, true);
  view.setBigUint64(24, fields.offset ?? 0n, true);
  view.setBigUint64(32, fields.aux ?? BigInt(payload.length), true);
  view.setUint32(40, fields.pid ?? 4242, true);
  view.setUint32(44, fields.tid ?? 4243, true);
  view.setUint32(48, fields.generation ?? 0, true);
  view.setUint32(52, payload.length, true);
  view.setUint32(56, fields.hook ?? 7, true);
  view.setUint16(60, fields.kind, true);
  view.setUint8(62, fields.dir ?? 0);
  view.setUint8(63, fields.flags ?? 1);
  out.set(payload, 64);
  return out;
}
