import { expect, test } from 'vitest';
import { toMessage } from '../../../src/sinks/nats/encoder.ts';
import { toLine } from '../../../src/sinks/ndjson.ts';
import { call } from '../events.ts';

const SENDER = { host: 'build-7', user: 'ada', session: '00112233445566aa' };

test('a message says where it goes, what it is and which one it is', () => {
  const { message, isTrimmed } = toMessage(call(), SENDER, '17', 'json');
  expect(message).toMatchObject({
    subject: 'tracer.v1.build-7.ada.call',
    id: '00112233445566aa:17',
    contentType: 'application/json',
  });
  expect(`${new TextDecoder().decode(message.payload)}\n`).toBe(toLine(call()));
  expect(isTrimmed).toBe(false);
});
