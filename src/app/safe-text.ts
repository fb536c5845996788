// Text of messages for people: log lines, errors, the stack of a crash. They are made by the tracer, but may quote what was
// captured: so they are redacted like everything else, and cannot steer a terminal.

import { randomBytes } from 'node:crypto';
import { createRedactor, type Redactor } from '../privacy/index.ts';
import { safeJson, visible } from '../sinks/text.ts';

export { safeJson };

/** Its own key: a message is nothing to recognise secrets by, and must not need the installation's key. */
let redactor: Redactor | undefined;

/** `text` without secrets and control characters; line breaks stay. */
export function safeText(text: string): string {
  redactor ??= createRedactor({ key: new Uint8Array(randomBytes(32)), reveal: false });
  return redactor.text(text).split('\n').map(visible).join('\n');
}
