// The objects of SARIF 2.1.0 (OASIS standard) that the audit uses, as JSON Schema: names, types and required members as in
// the sections given. Stricter than the standard's own schema, which allows what is not used here.

const text = { type: 'string' };
const strict = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
});

/** §3.11, §3.12 */
const message = strict({ text }, ['text']);
const level = { enum: ['none', 'note', 'warning', 'error'] };

/** §3.49 */
const reportingDescriptor = strict(
  {
    id: text,
    name: text,
    shortDescription: message,
    fullDescription: message,
    help: message,
    defaultConfiguration: strict({ level }),
    properties: { type: 'object', properties: { tags: { type: 'array', items: text, uniqueItems: true } } },
  },
  ['id'],
);

/** §3.28, §3.29, §3.4, §3.33 */
const location = strict({
  physicalLocation: strict({
    artifactLocation: strict({ uri: { type: 'string', pattern: "^[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]+$" } }, ['uri']),
  }),
  logicalLocations: { type: 'array', items: strict({ fullyQualifiedName: text, kind: text }) },
});

/** §3.27 */
const result = strict(
  {
    ruleId: text,
    ruleIndex: { type: 'integer', minimum: 0 },
    level,
    message,
    locations: { type: 'array', items: location },
    partialFingerprints: { type: 'object', additionalProperties: text },
    properties: { type: 'object' },
  },
  ['message'],
);

/** §3.14, §3.18, §3.19, §3.20 */
const run = strict(
  {
    tool: strict(
      { driver: strict({ name: text, version: text, rules: { type: 'array', items: reportingDescriptor } }, ['name']) },
      ['driver'],
    ),
    columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
    invocations: {
      type: 'array',
      items: strict({ executionSuccessful: { type: 'boolean' } }, ['executionSuccessful']),
    },
    results: { type: 'array', items: result },
  },
  ['tool'],
);

/** §3.13 */
export const SARIF_SUBSET = strict(
  { $schema: text, version: { const: '2.1.0' }, runs: { type: 'array', items: run } },
  ['version', 'runs'],
);
