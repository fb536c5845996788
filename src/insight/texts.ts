// Texts that are shown later, within bounds: of each at most so many characters, of all together at most so many. When the
// total is spent, beginnings are still kept. A kept text is always a copy: a slice would keep the whole body alive.

export interface KeptText {
  readonly text: string;
  /** Characters of the whole text; more than `text` has when it was cut. */
  readonly chars: number;
}

export interface TextLimits {
  readonly maxChars: number;
  readonly maxTotalChars: number;
}

/** For lists of conversations: enough of a text to recognise it. */
export const BRIEF: TextLimits = { maxChars: 400, maxTotalChars: 16 * 1024 * 1024 };
/** For transcripts: 24 Mi characters take 24 to 48 MiB. */
export const FULL: TextLimits = { maxChars: 64 * 1024, maxTotalChars: 24 * 1024 * 1024 };

/** For whoever asks for places only: no more than grouping itself needs. */
export const NO_TEXTS: TextLimits = { maxChars: 200, maxTotalChars: 0 };

/** Beginning that is kept of a text when the total is spent. */
const MIN_CHARS = 200;

/** A copy that shares no memory with `text`. */
export const copyOf = (text: string): string => JSON.parse(JSON.stringify(text)) as string;

export class TextKeeper {
  readonly #limits: TextLimits;
  #leftChars: number;

  constructor(limits: TextLimits) {
    this.#limits = limits;
    this.#leftChars = limits.maxTotalChars;
  }

  keep(text: string): KeptText {
    const most = Math.max(MIN_CHARS, Math.min(this.#limits.maxChars, this.#leftChars));
    this.#leftChars -= Math.min(most, text.length);
    return { text: copyOf(text.length <= most ? text : text.slice(0, most)), chars: text.length };
  }
}

/** Nothing for an empty text. */
export const keptOrNone = (keeper: TextKeeper, text: string | undefined): KeptText | undefined =>
  text === undefined || text === '' ? undefined : keeper.keep(text);
