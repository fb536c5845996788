// What every content coding is made as: one stage of a chain that the content decoder stacks.

/** Why decoding stopped. `code` is the code of the wire error that the engine reports. */
export interface DecodeError {
  readonly code: 'body.bomb' | 'body.corrupt' | 'body.truncated' | 'body.unsupported-coding';
  readonly detail: string;
}

/** One coding. `push` and `end` return an error as a value, at most once; after it they are not called again. */
export interface Stage {
  push(bytes: Uint8Array): DecodeError | undefined;
  end(): DecodeError | undefined;
  /** Gives memory outside the JavaScript heap back. */
  close(): void;
}
