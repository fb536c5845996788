// What the parts of the engine share: where events go, and counters that all connections of one engine have in common.

import type { EngineEvent } from '../model/index.ts';
import type { EngineLimits } from './limits.ts';

/** A SHA-256 in the making; the core has none of its own. */
export interface BodyHash {
  update(bytes: Uint8Array): void;
  hex(): string;
}

export interface EngineOutput {
  readonly newHash: (() => BodyHash) | undefined;
  readonly emit: (event: EngineEvent) => void;
  readonly limits: EngineLimits;
  /** Decoders in use, over all connections. */
  openDecoders: number;
}
