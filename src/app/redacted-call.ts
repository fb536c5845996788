// A completed call as the insight room takes it, with what redaction made of its contents.

import type { CallCompleted, CallEvent } from '../model/index.ts';

/** `event` is the redacted event that was made of `raw`. */
export const redactedCall = (raw: CallCompleted, event: CallEvent): CallCompleted => {
  const { bodies: _, llm: __, service: ___, ...facts } = raw;
  const { host, path, method, evidence, request, response, llm, service, notes = [] } = event;
  const parts = { ...(llm && { llm }), ...(service && { service }) };
  return { ...facts, host, path, method, evidence, request, response, notes, ...parts };
};
