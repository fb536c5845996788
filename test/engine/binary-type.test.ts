import { expect, test } from 'vitest';
import { binaryTypeOf } from '../../src/engine/binary-type.ts';

test.each([
  'text/plain',
  'text/event-stream; charset=utf-8',
  'application/json',
  'application/vnd.github+json',
  'application/x-www-form-urlencoded',
  'image/svg+xml',
  'application/x-ndjson',
  '',
  'nonsense',
])('%s is text, or says nothing', (type) => expect(binaryTypeOf(type)).toBeUndefined());

test.each([
  ['multipart/form-data; boundary=x', 'multipart/form-data'],
  ['Application/Octet-Stream', 'application/octet-stream'],
  ['application/grpc+proto', 'application/grpc+proto'],
  ['image/png', 'image/png'],
  ['application/zip', 'application/zip'],
])('%s is not', (type, name) => expect(binaryTypeOf(type)).toBe(name));
