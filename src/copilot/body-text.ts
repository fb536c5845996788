// Keeps a body as text up to a limit, within a budget that all open bodies share. After a hole nothing is added: text is
// never joined across bytes that were lost.

/** Bytes that all open bodies together may still take. */
export interface Budget {
  leftBytes: number;
}

export class BodyText {
  readonly #limitBytes: number;
  readonly #budget: Budget;
  readonly #decoder = new TextDecoder();
  #text = '';
  #keptBytes = 0;
  /** Of the kept bytes, still taken from the budget. */
  #heldBytes = 0;
  #seenBytes = 0;
  /** Set when what follows cannot be kept: by a limit, or by a hole. */
  #stopped: 'limit' | 'budget' | 'hole' | undefined;

  constructor(limitBytes: number, budget: Budget) {
    this.#limitBytes = limitBytes;
    this.#budget = budget;
  }

  get seenBytes(): number {
    return this.#seenBytes;
  }

  add(bytes: Uint8Array): void {
    this.#seenBytes += bytes.length;
    if (this.#stopped !== undefined) return;
    const room = Math.min(this.#limitBytes - this.#keptBytes, this.#budget.leftBytes);
    const part = bytes.length <= room ? bytes : bytes.subarray(0, Math.max(0, room));
    if (part.length < bytes.length) this.#stopped = room === this.#budget.leftBytes ? 'budget' : 'limit';
    this.#text += this.#decoder.decode(part, { stream: true });
    this.#keptBytes += part.length;
    this.#heldBytes += part.length;
    this.#budget.leftBytes -= part.length;
  }

  hole(): void {
    this.#stopped ??= 'hole';
  }

  get text(): string {
    return this.#text;
  }

  copy(): { readonly text: string; readonly whole: boolean } {
    return { text: this.#text, whole: this.#stopped === undefined };
  }

  /** Why the text is not the whole body, or undefined when it is. */
  note(what: string): string | undefined {
    if (this.#stopped === undefined) return undefined;
    if (this.#stopped === 'hole') return `${what} kept up to a hole at byte ${this.#keptBytes}`;
    const why = this.#stopped === 'limit' ? 'limit of one body' : 'limit of all open bodies';
    return `${what} kept to ${this.#keptBytes} of ${this.#seenBytes} bytes: ${why}`;
  }

  /** Gives the memory back; the note stays. */
  release(): void {
    this.#budget.leftBytes += this.#heldBytes;
    this.#heldBytes = 0;
    this.#text = '';
  }
}
