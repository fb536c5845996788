// What the parts of the engine share: where events go, and counters that all connections of one engine have in common.

import type { EngineEvent } from '../model/index.ts';
import type { EngineLimits } from './limits.ts';

export interface EngineOutput {
  readonly emit: (event: EngineEvent) => void;
  readonly limits: EngineLimits;
  /** Decoders in use, over all connections. */
  openDecoders: number;
}
