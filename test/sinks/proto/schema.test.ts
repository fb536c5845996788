import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';
import { describe, expect, test } from 'vitest';
import { FACTS, SCHEMAS } from '../../../src/sinks/proto/schema.ts';

const PROTO = fileURLToPath(new URL('../../../src/sinks/proto/events.proto', import.meta.url));
const FROZEN = new URL('./frozen-fields.txt', import.meta.url);
const { root } = protobuf.parse(readFileSync(PROTO, 'utf8'), { keepCase: false });
const namespace = root.lookup('tracer.v1') as protobuf.Namespace;
const types = namespace.nestedArray as protobuf.Type[];

/** `Call.status = 10 optional uint64`, one line per field. */
const fieldLines = (type: protobuf.Type): string[] =>
  type.fieldsArray.map((field) => {
    const kind = field instanceof protobuf.MapField ? `map<${field.keyType}, ${field.type}>` : field.type;
    return `${type.name}.${field.name} = ${field.id} ${field.repeated ? 'repeated ' : ''}${kind}`;
  });

describe('events.proto', () => {
  test('has a field for every member of the tables, and no other', () => {
    for (const [name, schema] of Object.entries(SCHEMAS)) {
      const inTable = Object.entries(schema).map(([member, kind]) =>
        kind.suffix === '' || member === 'json' ? member : `${member}${kind.suffix}`,
      );
      const inProto = root.lookupType(`tracer.v1.${name}`).fieldsArray.map((field) => field.name);
      expect([...inTable, 'extraJson'].sort(), name).toEqual([...inProto].sort());
    }
  });

  test('has a place in Event for every type of event', () => {
    const fields = root.lookupType('tracer.v1.Event').fields;
    for (const { field } of Object.values(FACTS)) expect(fields[field], field).toBeDefined();
  });

  test('keeps number and type of every field that was ever published', () => {
    expect(existsSync(FROZEN)).toBe(true);
    const now = new Set(types.flatMap(fieldLines));
    const frozen = readFileSync(FROZEN, 'utf8').trim().split('\n');
    expect(frozen.filter((line) => !now.has(line))).toEqual([]);
  });

  test('every field is frozen: a new one is added to frozen-fields.txt with the release that publishes it', () => {
    const frozen = new Set(readFileSync(FROZEN, 'utf8').trim().split('\n'));
    expect(types.flatMap(fieldLines).filter((line) => !frozen.has(line))).toEqual([]);
  });

  test('says presence of every single field, so that 0 and absent differ', () => {
    const text = readFileSync(PROTO, 'utf8');
    const single = /^ {2}(?!optional |repeated |map<|oneof )(?:string|bool|uint64|double|fixed64) /m;
    expect(single.exec(text)).toBeNull();
  });
});
