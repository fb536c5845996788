// Do the hooks deliver plaintext? A hook on a wrong function would hand out ciphertext or noise. A connection whose
// bytes nobody could decode, and whose first bytes do not look like text or a known frame, speaks against its hook; one
// that looks right clears the hook for good.

import type { ConnectionKey, DataRecord } from '../../model/index.ts';

/** Bytes of a connection that are judged. */
const JUDGED_BYTES = 64;
/** One odd connection may be a binary protocol of its own; a wrong hook never gives anything else. */
const SUSPICIOUS_FROM = 3;
/** Share of printable ASCII from which bytes count as text: random bytes have 38 %. */
const TEXT_SHARE = 0.75;
/** Connections remembered from their first bytes until the order to skip them, oldest forgotten first. */
const MAX_OPEN = 4096;
/** Frame types of HTTP/2 (RFC 9113 §6), and the largest frame that a peer may send unasked (§4.2). */
const LAST_FRAME_TYPE = 9;
const MAX_FRAME_BYTES = 16_384;

const isPrintable = (byte: number): boolean =>
  (byte >= 0x20 && byte < 0x7f) || byte === 9 || byte === 10 || byte === 13;

/** HTTP/2 frame header: 24-bit length, type, flags, reserved bit 0 and stream. */
function looksLikeFrame(bytes: Uint8Array): boolean {
  if (bytes.length < 9) return false;
  const [a = 0, b = 0, c = 0, type = 255, , stream = 255] = bytes;
  return ((a << 16) | (b << 8) | c) <= MAX_FRAME_BYTES && type <= LAST_FRAME_TYPE && stream < 0x80;
}

/** True unless the bytes look like ciphertext: text, or an HTTP/2 frame. */
export function looksLikePlaintext(bytes: Uint8Array): boolean {
  const judged = bytes.subarray(0, JUDGED_BYTES);
  const printable = judged.reduce((count, byte) => count + (isPrintable(byte) ? 1 : 0), 0);
  return printable >= judged.length * TEXT_SHARE || looksLikeFrame(judged);
}

interface Verdict {
  odd: number;
  isCleared: boolean;
}

const nameOf = (key: ConnectionKey): string => `${key.pid}/${key.startNs}/${key.generation}`;

export class HookWatch {
  readonly #onSuspicious: (hook: number) => void;
  /** Connections whose first bytes looked like noise, with the hook that gave them. */
  readonly #odd = new Map<string, number>();
  readonly #verdicts = new Map<number, Verdict>();

  /** `onSuspicious` is called once per hook. */
  constructor(onSuspicious: (hook: number) => void) {
    this.#onSuspicious = onSuspicious;
  }

  /** First bytes of either direction are judged; the rest is passed over by one comparison. */
  data(record: DataRecord): void {
    if (record.offset !== 0) return;
    const verdict = this.#verdictOf(record.hook);
    if (verdict.isCleared) return;
    if (looksLikePlaintext(record.bytes)) verdict.isCleared = true;
    else this.#remember(nameOf(record), record.hook);
  }

  /** Nobody could decode this connection. */
  undecodable(key: ConnectionKey): void {
    const hook = this.#odd.get(nameOf(key));
    if (hook === undefined) return;
    this.#odd.delete(nameOf(key));
    const verdict = this.#verdictOf(hook);
    if (verdict.isCleared) return;
    verdict.odd += 1;
    if (verdict.odd === SUSPICIOUS_FROM) this.#onSuspicious(hook);
  }

  #verdictOf(hook: number): Verdict {
    const known = this.#verdicts.get(hook);
    if (known !== undefined) return known;
    const fresh = { odd: 0, isCleared: false };
    this.#verdicts.set(hook, fresh);
    return fresh;
  }

  #remember(name: string, hook: number): void {
    this.#odd.set(name, hook);
    const [oldest] = this.#odd.keys();
    if (this.#odd.size > MAX_OPEN && oldest !== undefined) this.#odd.delete(oldest);
  }
}
