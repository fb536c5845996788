// Door of the privacy room: redaction before every sink.
export type { Redactor, RedactorOptions } from './redactor.ts';
export { createRedactor } from './redactor.ts';
