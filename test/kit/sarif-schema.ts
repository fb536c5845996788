// The JSON schema of SARIF 2.1.0 as published (npm: @microsoft/jest-sarif carries it), with its formats. It is written in an
// older draft of JSON Schema, of which it uses nothing that has changed since.
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';

const published: Record<string, unknown> = createRequire(import.meta.url)(
  '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json',
);

const validate = (() => {
  const { $schema: _, id: __, ...schema } = published;
  // One of its patterns has a lone bracket, which is an error in Unicode expressions only.
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  ajv.addFormat('uri', (text) => URL.canParse(text)).addFormat('uri-reference', (text) => URL.canParse(text, 'x:/'));
  ajv.addFormat('date-time', (text) => !Number.isNaN(Date.parse(text)));
  return ajv.compile(schema);
})();

/** What is wrong with it; null when nothing is. */
export const validateSarif = (log: unknown): string | null =>
  validate(log) === true ? null : JSON.stringify(validate.errors);
