// docs/events.md, docs/events.schema.json and the types of src/model say the same.

import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { toLine } from '../../src/sinks/ndjson.ts';
import { call, OTHER_EVENTS, plainCall, summary } from './events.ts';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const manual = read('docs/events.md');
const schema = JSON.parse(read('docs/events.schema.json'));
const types = ['events', 'llm', 'http', 'record'].map((name) => read(`src/model/${name}.ts`)).join('\n');
const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(schema);

const examples = [...manual.matchAll(/```json\n(.*)\n```/g)].map(([, line]) => line!);

/** Fields of an exported interface at its top level, with whether they are optional. */
function fieldsOf(name: string): Map<string, boolean> {
  const found = new RegExp(`interface ${name}( extends EventBase)? \\{\\n([\\s\\S]*?)\\n\\}`).exec(types);
  if (found === null) throw new Error(`no interface ${name} in src/model`);
  const fields = new Map(found[1] === undefined ? [] : [...fieldsOf('EventBase')]);
  for (const [, field, optional] of found[2]!.matchAll(/^ {2}(?:readonly )?(\w+)(\?)?:/gm))
    fields.set(field!, optional === '?');
  return fields;
}

const INLINE = ['Timing', 'ByteTotals', 'LossTotals', 'OtherItem'];
const INTERFACES = Object.keys(schema.$defs).filter((name) => !['Part', 'HeaderField', ...INLINE].includes(name));

/** Rows of the table below a heading: field name to whether it is optional. */
function documented(heading: string): Map<string, boolean> {
  const section = manual.split(/^##+ /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  return new Map(
    [...section.matchAll(/^\| `(\w+)` \| [^|]* \| (optional)? ?\|/gm)].map(([, field, optional]) => [
      field!,
      optional !== undefined,
    ]),
  );
}

const headingOf = (name: string): string => {
  const type = schema.$defs[name].properties.type?.const;
  return type === undefined ? name : `\`${type}\``;
};

describe('the manual of events', () => {
  it.each(INTERFACES)('has the fields of %s, in manual and schema, and which are optional', (name) => {
    const fields = fieldsOf(name);
    const { properties, required = [] } = schema.$defs[name];
    const inSchema = new Map(Object.keys(properties).map((field) => [field, !required.includes(field)]));
    expect(Object.fromEntries(inSchema)).toEqual(Object.fromEntries(fields));
    expect(Object.fromEntries(documented(headingOf(name)))).toEqual(Object.fromEntries(fields));
  });

  it.each(INLINE)('has the fields of %s, in manual and schema', (name) => {
    expect([...documented(name).keys()]).toEqual(Object.keys(schema.$defs[name].properties));
  });

  it('has every kind of part', () => {
    const kinds = [...types.matchAll(/readonly kind: '([\w-]+)'/g)].map(([, kind]) => kind!);
    for (const { properties } of schema.$defs.Part.oneOf) expect(kinds).toContain(properties.kind.const);
    const union = /export type Part =([\s\S]*?);\n\n/.exec(types)?.[1] ?? '';
    expect([...union.matchAll(/kind: '([\w-]+)'/g)]).toHaveLength(schema.$defs.Part.oneOf.length);
  });

  it('covers every event type, each with an example line', () => {
    const union = /export type TraceEvent =([^;]*);/.exec(types)?.[1] ?? '';
    const names = [...union.matchAll(/\w+Event/g)].map(([name]) => name);
    expect(schema.oneOf.map(({ $ref }: { $ref: string }) => $ref.slice('#/$defs/'.length)).sort()).toEqual(
      names.sort(),
    );
    const shown = examples.map((line) => JSON.parse(line).type);
    expect(shown.sort()).toEqual(names.map((name) => schema.$defs[name].properties.type.const).sort());
  });

  it('shows example lines exactly as they are printed', () => {
    for (const line of examples) {
      expect(validate(JSON.parse(line)) || validate.errors).toBe(true);
      expect(toLine(JSON.parse(line))).toBe(`${line}\n`);
    }
  });

  it('has a schema that events satisfy and others do not', () => {
    for (const event of [call(), plainCall(), ...OTHER_EVENTS, summary()])
      expect(validate(event) || validate.errors).toBe(true);
    expect(validate({ ...call(), timing: {} })).toBe(false);
    expect(validate({ ...call(), end: 'done' })).toBe(false);
  });
});
