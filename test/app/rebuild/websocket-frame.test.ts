import { expect, it } from 'vitest';
import { closeFrame, webSocketFrame } from '../../../src/app/rebuild/websocket-frame.ts';

it('writes one frame with the shortest length, masked by zeros for clients', () => {
  expect([...webSocketFrame('text', Buffer.from('hi'), false)]).toEqual([0x81, 2, 0x68, 0x69]);
  expect([...webSocketFrame('binary', Buffer.from('hi'), true)]).toEqual([0x82, 0x82, 0, 0, 0, 0, 0x68, 0x69]);
  expect([...webSocketFrame('text', new Uint8Array(300), false).subarray(0, 4)]).toEqual([0x81, 126, 1, 44]);
  expect([...webSocketFrame('text', new Uint8Array(70_000), true).subarray(0, 10)]).toEqual([
    0x81, 0xff, 0, 0, 0, 0, 0, 1, 0x11, 0x70,
  ]);
  expect([...closeFrame(1000, false)]).toEqual([0x88, 2, 3, 0xe8]);
});
