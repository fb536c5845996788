// Bounds of the engine, with their reasons. docs/limits.md lists them for users.

export interface EngineLimits {
  /** Connections that are followed at once. An editor holds some dozens; the idlest are let go beyond this. */
  readonly connections: number;
  /** Open exchanges of one connection. HTTP/2 peers usually allow 100 to 250 streams at once. */
  readonly exchangesPerConnection: number;
  /** Bodies being decompressed at once: each holds a window (64 KiB DEFLATE, up to 8 MiB zstd, 16 MiB brotli). */
  readonly decoders: number;
}

export const ENGINE_LIMITS: EngineLimits = { connections: 4096, exchangesPerConnection: 16_384, decoders: 512 };

/** Share of the connections that is let go at once when there are too many: finding the idlest costs a pass over all. */
export const EVICTED_SHARE = 1 / 16;

/** Connections whose last offsets are remembered after they were let go. */
export const EVICTED_MEMORY = 16_384;
