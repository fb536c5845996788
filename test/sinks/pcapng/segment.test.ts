import { expect, test } from 'vitest';
import { FLAG, packetOf } from '../../../src/sinks/pcapng/segment.ts';

const from = { address: Uint8Array.of(10, 0, 0, 1), port: 32_768 };
const to = { address: Uint8Array.of(198, 18, 0, 1), port: 80 };

test('a sequence number goes round at 2^32', () => {
  const sequence = 2 ** 32 + 5;
  const packet = Buffer.from(
    packetOf({ from, to, sequence, acknowledged: 3 * 2 ** 32 + 7, flags: FLAG.ack, payload: new Uint8Array() }),
  );
  expect([packet.readUInt32BE(24), packet.readUInt32BE(28), packet.length]).toEqual([5, 7, 40]);
});
