import { type AddressInfo, connect, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { parseTcpTable, readSocketInodes, readTcpSockets } from '../../../src/capture/proc/sockets.ts';
import { startSleeper } from '../../kit/running.ts';

const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 51234 1 0000000000000000 100 0 0 10 0
   1: 0100007F:C350 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 51235 1 0000000000000000 20 4 30 10 -1
   2: 0100007F:C352 0100007F:1F90 06 00000000:00000000 03:00000A2C 00000000     0        0 0 3 0000000000000000
`;

describe('TCP sockets of a process', () => {
  it('are the rows with an inode; state 01 is established', () => {
    expect(parseTcpTable(TABLE)).toEqual([
      { inode: 51_234, isEstablished: false },
      { inode: 51_235, isEstablished: true },
    ]);
  });

  it('cut or foreign text gives no rows and does not throw', () => {
    expect(parseTcpTable('')).toEqual([]);
    expect(parseTcpTable('x\n\0\n 1: a b\n')).toEqual([]);
  });

  it('counts its own connections and not those of others', async () => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const established = (): number => {
      const sockets = readTcpSockets(process.pid);
      if (!sockets.ok) throw new Error(sockets.detail);
      return sockets.value.filter((socket) => socket.isEstablished).length;
    };
    const before = established();
    const accepted = new Promise((done) => server.once('connection', done));
    const client = connect(port, '127.0.0.1');
    await accepted;
    // Both ends are ours.
    expect(established() - before).toBe(2);
    using stranger = await startSleeper();
    expect(readTcpSockets(stranger.pid)).toEqual({ ok: true, value: [] });
    client.destroy();
    server.close();
  });

  it('answers "gone" for a process that has gone', () => {
    expect(readSocketInodes(4_194_305)).toMatchObject({ ok: false, why: 'gone' });
  });
});
