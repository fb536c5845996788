// The HAR 1.2 JSON schema as published (npm: har-schema), with its formats.
import { createRequire } from 'node:module';
import { isIPv4, isIPv6 } from 'node:net';
import { Ajv } from 'ajv';
import draft6 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };

const schemas: Record<string, object> = createRequire(import.meta.url)('har-schema');

const validate = (() => {
  const ajv = new Ajv({ strict: false, logger: false });
  ajv
    .addFormat('ipv4', isIPv4)
    .addFormat('ipv6', isIPv6)
    .addFormat('uri', (text) => URL.canParse(text));
  ajv.addFormat('date-time', (text) => new Date(text).toISOString() === text);
  ajv.addMetaSchema(draft6);
  for (const schema of Object.values(schemas)) ajv.addSchema(schema);
  return ajv.getSchema('har.json#');
})();

/** What is wrong with it; null when nothing is. */
export function validateHar(har: unknown): string | null {
  if (validate === undefined) return 'no HAR schema';
  return validate(har) === true ? null : JSON.stringify(validate.errors);
}
