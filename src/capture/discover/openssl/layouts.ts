// Offsets in OpenSSL's SSL object and SSL_METHOD table, by which an accidental match is told from the real thing.

export interface MethodLayout {
  /** Of the table's address in the object. */
  readonly methodField: number;
  /** Of functions in the table: ssl_free, ssl_accept, ssl_connect, ssl_read, ssl_write, ssl_read_bytes, ssl_write_bytes. */
  readonly free: number;
  readonly accept: number;
  readonly connect: number;
  readonly read: number;
  readonly write: number;
  readonly readBytes: number;
  readonly writeBytes: number;
}

export const LAYOUTS: readonly MethodLayout[] = [
  // 1.1.1, 3.0, 3.1
  {
    methodField: 0x08,
    free: 0x20,
    accept: 0x28,
    connect: 0x30,
    read: 0x38,
    write: 0x48,
    readBytes: 0x68,
    writeBytes: 0x70,
  },
  // 3.2 and later: the object has a common head for TLS and QUIC, the table more functions in front
  {
    methodField: 0x18,
    free: 0x18,
    accept: 0x40,
    connect: 0x48,
    read: 0x50,
    write: 0x60,
    readBytes: 0x80,
    writeBytes: 0x88,
  },
];
