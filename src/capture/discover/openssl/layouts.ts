// Offsets in OpenSSL's SSL object and SSL_METHOD table, by which an accidental match is told from the real thing.

export interface MethodLayout {
  /** Of the table's address in the object. */
  readonly methodField: number;
  /** Of functions in the table: ssl_free, ssl_read, ssl_write. */
  readonly free: number;
  readonly read: number;
  readonly write: number;
}

export const LAYOUTS: readonly MethodLayout[] = [
  // 1.1.1, 3.0, 3.1
  { methodField: 0x08, free: 0x20, read: 0x38, write: 0x48 },
  // 3.2 and later: the object has a common head for TLS and QUIC, the table more functions in front
  { methodField: 0x18, free: 0x18, read: 0x50, write: 0x60 },
];
