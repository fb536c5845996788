// Brotli (RFC 7932) through the kept library brotli-dec-wasm: a format with a 120 KB dictionary is not worth a second
// implementation. The library needs its WebAssembly file as bytes; reading files is not this room's business, so the
// edge hands them over once with `provideBrotli`. Until then, `br` bodies end in an error value that says so.
//
// Memory of one stream lives in the WebAssembly heap (window of at most 16 MiB, RFC 7932 §9.1) until `close`.

import { BrotliDecStream, BrotliStreamResultCode, initSync } from 'brotli-dec-wasm/web';
import type { Sink } from './inflater.ts';
import type { DecodeError, Stage } from './stage.ts';

/** Module specifier of the file that `provideBrotli` wants. */
export const BROTLI_WASM_SPECIFIER = 'brotli-dec-wasm/web/bg.wasm';

/** Output per step: bounds what a bomb can produce before it is noticed. */
const STEP_BYTES = 64 * 1024;

let isProvided = false;

/** Makes `br` decodable in this process. `wasm` is the content of BROTLI_WASM_SPECIFIER; later calls change nothing. */
export function provideBrotli(wasm: Uint8Array): void {
  if (isProvided) return;
  initSync({ module: new Uint8Array(wasm) });
  isProvided = true;
}

class BrotliStage implements Stage {
  readonly #sink: Sink;
  #stream: BrotliDecStream | undefined = new BrotliDecStream();
  #isDone = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  push(bytes: Uint8Array): DecodeError | undefined {
    let rest = bytes;
    while (this.#stream !== undefined && !this.#isDone) {
      const step = this.#decode(this.#stream, rest);
      if (step === undefined) return { code: 'body.corrupt', detail: 'the brotli data is damaged' };
      if (step.output.length > 0 && !this.#sink(step.output)) return undefined;
      rest = rest.subarray(step.used);
      if (step.code === BrotliStreamResultCode.ResultSuccess) this.#isDone = true;
      else if (step.code === BrotliStreamResultCode.NeedsMoreInput) return undefined;
    }
    return undefined;
  }

  end(): DecodeError | undefined {
    return this.#isDone ? undefined : { code: 'body.truncated', detail: 'the brotli stream has no end' };
  }

  close(): void {
    this.#stream?.free();
    this.#stream = undefined;
  }

  /** The library throws on damaged data: here, and only here, a throw becomes a value. */
  #decode(stream: BrotliDecStream, bytes: Uint8Array): { output: Uint8Array; used: number; code: number } | undefined {
    try {
      const result = stream.dec(bytes, STEP_BYTES);
      const step = { used: result.input_offset, code: result.code, output: result.buf };
      result.free();
      return step;
    } catch {
      return undefined;
    }
  }
}

const unprovided: Stage = {
  push: () => ({ code: 'body.unsupported-coding', detail: 'br: the brotli decoder was not provided' }),
  end: () => undefined,
  close: () => undefined,
};

export const createBrotliStage = (sink: Sink): Stage => (isProvided ? new BrotliStage(sink) : unprovided);
