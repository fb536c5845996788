// The door of the `engine` room: capture records in, engine events out.
export { createEngine, type Engine, type EngineOptions } from './engine.ts';
export { ENGINE_LIMITS, type EngineLimits } from './limits.ts';
export type { BodyHash } from './output.ts';
