// Makes brotli bodies decodable in a test, as the application does at its start.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { BROTLI_WASM_SPECIFIER, provideBrotli } from '../../src/bytes/index.ts';

export function loadBrotli(): void {
  provideBrotli(readFileSync(createRequire(import.meta.url).resolve(BROTLI_WASM_SPECIFIER)));
}
