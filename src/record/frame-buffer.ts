// Input of the recording reader: looks at whole frames without copying when they lie inside one pushed chunk, and keeps the
// rest (less than one frame) until the next. Not thought for many tiny chunks: each costs a copy of what is kept.

export interface FrameBuffer {
  push(bytes: Uint8Array): void;
  length(): number;
  /** The next `lenBytes` as a view, or null when there are fewer. */
  peek(lenBytes: number): Uint8Array | null;
  skip(lenBytes: number): void;
  /** Copies what is left, so that the caller may reuse the chunk that it pushed. */
  settle(): void;
}

export function createFrameBuffer(): FrameBuffer {
  /** Unread bytes are `store[from, to)`; `owned` when `store` is ours and not the caller's chunk. */
  let store: Uint8Array = new Uint8Array();
  let from = 0;
  let to = 0;
  let owned = true;

  /** Appends to what was kept; the store doubles, so a frame that comes in many chunks is copied a bounded number of times. */
  const append = (bytes: Uint8Array): void => {
    const keptBytes = to - from;
    if (from + keptBytes + bytes.length > store.length) {
      const grown = new Uint8Array(Math.max(2 * keptBytes, keptBytes + bytes.length));
      grown.set(store.subarray(from, to));
      store = grown;
      from = 0;
      to = keptBytes;
    }
    store.set(bytes, to);
    to += bytes.length;
  };

  const borrow = (bytes: Uint8Array): void => {
    store = bytes;
    from = 0;
    to = bytes.length;
    owned = false;
  };

  return {
    push: (bytes) => (to === from ? borrow(bytes) : append(bytes)),
    length: () => to - from,
    peek: (lenBytes) => (to - from < lenBytes ? null : store.subarray(from, from + lenBytes)),
    skip: (lenBytes) => {
      from += lenBytes;
    },
    settle: () => {
      if (owned) return;
      store = store.slice(from, to);
      to -= from;
      from = 0;
      owned = true;
    },
  };
}
