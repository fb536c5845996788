// Messages larger than the server takes: cut into numbered parts by the sender, joined by the reader. Nothing is lost and
// nothing is trimmed; a reader that does not join them sees by the header that it has a part in its hands.

/** Bytes that headers may take of what the server allows for one message; ours stay far below. */
export const HEADER_ROOM_BYTES = 512;
/** A server that allows less than this is not usable. */
const MIN_PART_BYTES = 1024;

/** Payloads of at most `limitBytes` each, headers included; one when it fits. */
export function splitPayload(payload: Uint8Array, limitBytes: number): readonly Uint8Array[] {
  const partBytes = Math.max(MIN_PART_BYTES, limitBytes - HEADER_ROOM_BYTES);
  if (payload.length <= partBytes) return [payload];
  const count = Math.ceil(payload.length / partBytes);
  return Array.from({ length: count }, (_, i) => payload.subarray(i * partBytes, (i + 1) * partBytes));
}

interface Joining {
  readonly parts: (Uint8Array | undefined)[];
  missing: number;
  bytes: number;
}

/** Parts of messages that never become whole are forgotten, oldest first, beyond this. */
const MAX_HELD_BYTES = 128 * 1024 * 1024;
/** More parts than any event has: 32 MiB in parts of 1 KiB. */
const MAX_PARTS = 32 * 1024;

export class PartJoiner {
  readonly #held = new Map<string, Joining>();
  #heldBytes = 0;
  #forgotten = 0;

  /** Messages that were given up because their other parts did not come. */
  get forgotten(): number {
    return this.#forgotten;
  }

  /** The whole payload once its last part is here. `part` is the header's text. */
  add(id: string, part: string, bytes: Uint8Array): Uint8Array | null {
    const match = /^(\d{1,5})\/(\d{1,5})$/.exec(part);
    const [number, total] = [Number(match?.[1]), Number(match?.[2])];
    if (match === null || number < 1 || number > total || total > MAX_PARTS) return null;
    // Another split of the same message (the server's limit changed in between) is another key.
    const key = `${id} ${total}`;
    const joining = this.#held.get(key) ?? { parts: Array(total).fill(undefined), missing: total, bytes: 0 };
    if (joining.parts[number - 1] !== undefined) return null;
    joining.parts[number - 1] = bytes.slice();
    joining.missing -= 1;
    joining.bytes += bytes.length;
    this.#heldBytes += bytes.length;
    if (joining.missing > 0) return this.#hold(key, joining);
    this.#drop(key, joining);
    return join(joining);
  }

  #hold(key: string, joining: Joining): null {
    this.#held.set(key, joining);
    for (const [oldest, parts] of this.#held) {
      if (this.#heldBytes <= MAX_HELD_BYTES || oldest === key) break;
      this.#drop(oldest, parts);
      this.#forgotten += 1;
    }
    return null;
  }

  #drop(key: string, joining: Joining): void {
    this.#held.delete(key);
    this.#heldBytes -= joining.bytes;
  }
}

function join({ parts, bytes }: Joining): Uint8Array {
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const part of parts) {
    whole.set(part ?? [], at);
    at += part?.length ?? 0;
  }
  return whole;
}
