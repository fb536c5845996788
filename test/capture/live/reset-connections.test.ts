import { expect, test } from 'vitest';
import { madeConnections, resetConnections } from '../../../src/capture/live/reset-connections.ts';

const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';
const row = (local: string, state: string, inode: number): string =>
  `   0: 0100007F:${local} 0100007F:01BB ${state} 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1 0 100 0 0 10 0`;

test('connections that were made are taken, accepted and unfinished ones are left', () => {
  const tcp = [HEAD, row('1F90', '0A', 11), row('1F90', '01', 12), row('C001', '01', 13), row('C002', '06', 0)].join(
    '\n',
  );
  const tcp6 = [HEAD, row('C003', '02', 14), row('C004', '01', 15)].join('\n');
  expect(madeConnections([tcp, tcp6])).toEqual([13, 15]);
});

test('a port that is listened on in one family is served in both', () => {
  expect(madeConnections([row('1F90', '01', 21), row('1F90', '0A', 22)])).toEqual([]);
});

test('a process that has gone has nothing to close', () => {
  expect(resetConnections([{ pid: 2 ** 22 + 5, startNs: 0n }])).toEqual({ closed: 0, problem: null });
});
