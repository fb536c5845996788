// Node's https module: HTTP/1.1, kept-alive connections in a pool.
import https from 'node:https';
import { Digest } from '../service/reply.mjs';
import { runClient } from './client.mjs';

const MAX_SOCKETS = 25;

await runClient(({ port, ca }) => {
  const agent = new https.Agent({ keepAlive: true, maxSockets: MAX_SOCKETS, ca });
  const send = ({ method, path, headers, body }) =>
    new Promise((resolve, reject) => {
      const sized = body ? { ...headers, 'content-length': body.length } : headers;
      const request = https.request({ host: '127.0.0.1', port, agent, method, path, headers: sized }, (response) => {
        const digest = new Digest();
        response.on('data', (piece) => digest.update(piece));
        response.on('end', () => resolve({ status: response.statusCode, ...digest.done() }));
        response.on('error', reject);
      });
      request.on('error', reject);
      request.end(body);
    });
  return { send, close: async () => agent.destroy() };
});
