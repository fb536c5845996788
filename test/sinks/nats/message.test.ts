import { expect, test } from 'vitest';
import { parseId, sizeOf } from '../../../src/sinks/nats/message.ts';

test.each([
  ['00112233445566aa:17', { session: '00112233445566aa', seq: 17 }],
  ['00112233445566aa:h3', { session: '00112233445566aa', seq: null }],
  ['00112233445566aa:', null],
  ['00112233445566AA:1', null],
  ['order-17', null],
  ['', null],
])('%s is %o', (id, expected) => {
  expect(parseId(id)).toEqual(expected);
});

test('an empty message is not free', () => {
  expect(sizeOf({ subject: '', id: '', contentType: '', payload: new Uint8Array() })).toBe(256);
});
