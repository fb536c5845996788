// undici's fetch: HTTP/1.1, or HTTP/2 with --h2. Fetch takes content codings off, so `bytes` here counts decoded bytes.
import { Agent, fetch } from 'undici';
import { Digest } from '../service/reply.mjs';
import { runClient } from './client.mjs';

const CONNECTIONS = 25;

await runClient(({ origin, ca, allowH2 }) => {
  const dispatcher = new Agent({
    allowH2,
    connections: allowH2 ? 1 : CONNECTIONS,
    pipelining: allowH2 ? 200 : 1,
    connect: { ca },
  });
  const send = async ({ method, path, headers, body }) => {
    const response = await fetch(origin + path, { method, headers, body, dispatcher });
    const digest = new Digest();
    for await (const piece of response.body ?? []) digest.update(piece);
    return { status: response.status, ...digest.done() };
  };
  return { send, close: () => dispatcher.close() };
});
