// How captured text is shown by commands that analyse: redacted, and harmless to a terminal. Such commands count on what
// was captured as it is, since sizes would be wrong otherwise, and show every text through here.

import type { Redactor } from '../privacy/index.ts';
import { visible } from '../sinks/index.ts';

export interface Shown {
  /** Without secrets, for JSON. */
  text(text: string): string;
  /** Without secrets and on one line, for a terminal. */
  line(text: string): string;
  /** A plain value without secrets in any string, for JSON. */
  value<Value>(value: Value): Value;
}

export const createShown = (redactor: Redactor): Shown => ({
  text: (text) => redactor.text(text),
  line: (text) => visible(redactor.text(text)),
  value: (value) => redactor.value(value),
});
