// Hands the core what it may not read itself: the WebAssembly file of the brotli decoder. Before rights are dropped, since
// the checkout may be in a home directory that nobody else may enter.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { BROTLI_WASM_SPECIFIER, provideBrotli } from '../bytes/index.ts';

/** Makes every content coding decodable in this process. Idempotent. */
export function provideCodecs(): void {
  const path = createRequire(import.meta.url).resolve(BROTLI_WASM_SPECIFIER);
  provideBrotli(new Uint8Array(readFileSync(path)));
}
