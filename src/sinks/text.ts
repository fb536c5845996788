// Second door of the sinks room: text that is safe to print, without the sinks and their libraries.

export { safeJson } from './safe-json.ts';
export { bytes, counted, exact } from './terminal/quantity.ts';
export { visible } from './terminal/visible.ts';
