// A body or message as it is kept for an export, and what redaction makes of it. What redaction cannot judge safely (bytes
// with a secret in them, a secret that runs across the events of a stream) is left out as a whole, with a note.

import type { BodyContent, Side, SocketMessage } from '../model/index.ts';
import type { Redactor } from '../privacy/index.ts';
import type { AnalysedSession } from './analysis.ts';
import { hasSplitSecret, piecesOf } from './split-secrets.ts';

/** Bytes that all open bodies together may still take. */
export interface Budget {
  leftBytes: number;
}

export class KeptBody {
  readonly #limitBytes: number;
  readonly #budget: Budget;
  #parts: Uint8Array[] = [];
  #keptBytes = 0;
  #seenBytes = 0;
  #stopped: 'limit' | 'hole' | null = null;

  constructor(limitBytes: number, budget: Budget) {
    this.#limitBytes = limitBytes;
    this.#budget = budget;
  }

  add(bytes: Uint8Array): void {
    this.#seenBytes += bytes.length;
    if (this.#stopped !== null) return;
    const roomBytes = Math.min(this.#limitBytes - this.#keptBytes, this.#budget.leftBytes);
    if (bytes.length > roomBytes) this.#stopped = 'limit';
    const part = bytes.slice(0, Math.max(0, roomBytes));
    this.#parts.push(part);
    this.#keptBytes += part.length;
    this.#budget.leftBytes -= part.length;
  }

  /** Bytes were lost: nothing is joined across the hole. */
  hole(): void {
    this.#stopped ??= 'hole';
  }

  get bytes(): Uint8Array {
    return Buffer.concat(this.#parts, this.#keptBytes);
  }

  note(side: Side): string | null {
    if (this.#stopped === null) return null;
    if (this.#stopped === 'hole') return `${side} body kept up to a hole at byte ${this.#keptBytes}`;
    return `${side} body kept to ${this.#keptBytes} of ${this.#seenBytes} bytes: limit of an export`;
  }

  release(): void {
    this.#budget.leftBytes += this.#keptBytes;
    this.#keptBytes = 0;
    this.#parts = [];
  }
}

/** `ignoreBOM`: what comes out has every byte that went in. */
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The bytes as text; null when they are none. The last character of a body that was cut may be half there. */
function textOf(bytes: Uint8Array, isWhole: boolean): string | null {
  for (const cut of isWhole ? [0] : [0, 1, 2, 3]) {
    try {
      return strictUtf8.decode(bytes.subarray(0, bytes.length - cut));
    } catch {
      // Not with this end; the next one may do.
    }
  }
  return null;
}

export function redactBody(kept: KeptBody, side: Side, redactor: Redactor, notes: string[]): BodyContent | null {
  const note = kept.note(side);
  if (note !== null) notes.push(note);
  const { bytes } = kept;
  if (bytes.length === 0) return null;
  const text = textOf(bytes, note === null);
  if (text === null) return redactBytes(bytes, `${side} body`, redactor, notes);
  if (hasSplitSecret(piecesOf(text), redactor.text)) {
    notes.push(`${side} stream left out: a secret runs across its events; the joined answer is in the call`);
    return null;
  }
  return { text: redactor.text(text), encoding: 'utf-8' };
}

function redactBytes(bytes: Uint8Array, what: string, redactor: Redactor, notes: string[]): BodyContent | null {
  const visible = Buffer.from(bytes).toString('latin1');
  if (redactor.text(visible) === visible) return { text: Buffer.from(bytes).toString('base64'), encoding: 'base64' };
  notes.push(`${what} left out: bytes with a secret in them`);
  return null;
}

/** A WebSocket message as it came. */
export interface KeptMessage {
  readonly side: Side;
  readonly tsNs: bigint;
  readonly content: string | Uint8Array;
}

export function redactMessages(
  messages: readonly KeptMessage[],
  redactor: Redactor,
  session: AnalysedSession,
  notes: string[],
): SocketMessage[] {
  const hidden = (['request', 'response'] as const).filter((side) => {
    const texts = messages.flatMap((m) => (m.side === side && typeof m.content === 'string' ? [m.content] : []));
    return hasSplitSecret(texts, redactor.text);
  });
  for (const side of hidden) notes.push(`${side} messages left out: a secret runs across them`);
  return messages.flatMap(({ side, tsNs, content }): SocketMessage[] => {
    if (hidden.includes(side)) return [];
    const time = Date.parse(session.stamp(tsNs).time) / 1000;
    if (typeof content === 'string') return [{ side, time, opcode: 1, data: redactor.text(content) }];
    const bytes = redactBytes(content, `${side} message`, redactor, notes);
    return bytes === null ? [] : [{ side, time, opcode: 2, data: bytes.text }];
  });
}
