// The record header's layout for the decoder: offsets, kinds, directions and flags of bpf/event.h.
export const HEADER_BYTES = 64;
export const CHUNK_LIMIT_BYTES = 16_384;

/** Offset of each field in the header. */
export const FIELD = {
  tsNs: 0,
  startNs: 8,
  ssl: 16,
  offset: 24,
  aux: 32,
  pid: 40,
  tid: 44,
  generation: 48,
  lenBytes: 52,
  hook: 56,
  kind: 60,
  dir: 62,
  flags: 63,
} as const;

export const KIND = { data: 1, close: 2, sni: 3, fork: 4, exec: 5, exit: 6 } as const;
export const DIR = { out: 0, in: 1 } as const;
export const FLAG = { callEnd: 1, cut: 2 } as const;
