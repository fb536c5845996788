// What an answer with an error status says. The wires put errors under `error`, which their decoders read; gateways and GitHub
// itself answer flat JSON (`code`, `type`, `message`), plain text, or a page.

import { objectOf, readJson, textOf } from '../dialects/index.ts';
import type { LlmError } from '../model/index.ts';

/** Of a text that is no JSON, a page for example, the beginning. */
const MAX_MESSAGE_CHARS = 1024;

/** The error of an answer whose decoder found none in it. */
export function refusalOf(status: number, body: string): LlmError {
  const { code, type, message, error, detail } = objectOf(readJson(body).value);
  // `type: "error"` says what the status said.
  const kind = type === 'error' ? '' : textOf(type);
  const text = textOf(message) || textOf(error) || textOf(detail) || body;
  return { code: textOf(code) || kind || `http.${status}`, message: text.slice(0, MAX_MESSAGE_CHARS) };
}
