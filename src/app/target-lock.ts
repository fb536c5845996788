// One tracer per target. The lock is an abstract unix socket named after the process: the kernel releases it when the
// tracer ends, however it ends, and no file is left behind.

import { createServer, type Server } from 'node:net';
import { TracerError } from '../errors.ts';

/** Held until `release`. */
export interface TargetLock {
  release(): void;
}

/** Locks a process id for as long as this tracer lives. Throws E_TARGET_TRACED when another tracer holds it. */
export function lockTarget(pid: number): Promise<TargetLock> {
  const server: Server = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      if (cause.code === 'EADDRINUSE') reject(new TracerError('E_TARGET_TRACED', { pid }));
      else reject(cause);
    });
    server.listen(`\0ebpf-tracer/${pid}`, () => {
      server.unref();
      resolve({ release: () => server.close() });
    });
  });
}
