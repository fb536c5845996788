// Connections of this process on loopback, closed by the inode of their descriptor.
import { readdirSync, readlinkSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { BpfError, destroySockets, isDestroyUnsupported } from '../src/index.ts';
import { describeAsRoot } from './kit.ts';

const inodes = (): number[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[1];
      return inode === undefined ? [] : [Number(inode)];
    } catch {
      return []; // the descriptor of the listing itself
    }
  });

const listening = async (): Promise<{ port: number; close(): void }> => {
  const server = createServer((socket) => socket.on('error', () => {}).resume());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0, close: () => server.close() };
};

const connected = (port: number): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
  });

describeAsRoot('destroySockets', () => {
  test('closes the named connection, and only that', async () => {
    const server = await listening();
    const before = new Set(inodes());
    const victim = await connected(server.port);
    const named = inodes().filter((inode) => !before.has(inode));
    const other = await connected(server.port);
    const ended = new Promise<string | undefined>((resolve) =>
      victim.on('error', (error: NodeJS.ErrnoException) => resolve(error.code)),
    );
    expect(destroySockets(named.slice(0, 1))).toBe(1);
    expect(await ended).toMatch(/ECONNABORTED|ECONNRESET/);
    expect(other.destroyed).toBe(false);
    other.destroy();
    server.close();
  });

  test('inodes of no connection are passed over', () => {
    expect(destroySockets([2 ** 32 - 1])).toBe(0);
    expect(destroySockets([])).toBe(0);
  });

  test('works in a namespace that is given by path', () => {
    expect(destroySockets([2 ** 32 - 1], '/proc/self/ns/net')).toBe(0);
    expect(() => destroySockets([1], '/proc/self/ns/absent')).toThrow(/ENOENT/);
  });
});

test('what is no inode is refused before the kernel is asked', () => {
  expect(() => destroySockets([-1])).toThrow(RangeError);
});

test('a kernel that cannot do it is told from other refusals', () => {
  const refusal = (errno: number, code: string): BpfError =>
    new BpfError({ errno, code, operation: 'destroySockets', detail: 'cannot close a socket' });
  expect(isDestroyUnsupported(refusal(95, 'EOPNOTSUPP'))).toBe(true);
  expect(isDestroyUnsupported(refusal(1, 'EPERM'))).toBe(false);
  expect(isDestroyUnsupported(new Error('other'))).toBe(false);
});
