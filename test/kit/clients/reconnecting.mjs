// Node's http2 module as an editor uses it: one long-lived session, and a new one when that breaks.
import http2 from 'node:http2';
import { Digest } from '../service/reply.mjs';
import { runClient } from './client.mjs';

await runClient(({ origin, ca }) => {
  /** @type {http2.ClientHttp2Session | undefined} */
  let session;
  const connected = () => {
    if (session !== undefined) return session;
    const fresh = http2.connect(origin, { ca });
    // Its close follows.
    fresh.on('error', () => {});
    fresh.on('close', () => {
      session = undefined;
    });
    session = fresh;
    return fresh;
  };
  const send = ({ method, path, headers, body }) =>
    new Promise((resolve, reject) => {
      const stream = connected().request({ ':method': method, ':path': path, ...headers }, { endStream: !body });
      const digest = new Digest();
      let status = 0;
      stream.on('response', (head) => {
        status = Number(head[':status']);
      });
      stream.on('data', (piece) => digest.update(piece));
      stream.on('end', () => resolve({ status, ...digest.done() }));
      stream.on('error', reject);
      if (body) stream.end(body);
    });
  return { send, close: () => new Promise((resolve) => (session ? session.close(() => resolve()) : resolve())) };
});
