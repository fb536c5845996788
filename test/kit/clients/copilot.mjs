// STAND-IN for a Copilot client: one process that does what an editor's extension host does, scripted, against the stand-in
// service: HTTP/2 per host for all calls, then Responses over a WebSocket (HTTP/1.1, permessage-deflate) with two turns.
//
//   node test/kit/clients/copilot.mjs --port N --ca FILE [--no-socket] [--rounds N]
import { readFileSync } from 'node:fs';
import http2 from 'node:http2';
import tls from 'node:tls';
import { parseArgs } from 'node:util';
import { Agent, buildConnector, WebSocket } from 'undici';
import { Digest } from '../service/reply.mjs';
import { BOOT, CHAT, EDITING, HOSTS, responsesBody, SOCKET_HEADERS } from './copilot-script.mjs';
import { leave, say, waitForGo } from './go.mjs';

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    ca: { type: 'string' },
    'no-socket': { type: 'boolean', default: false },
    rounds: { type: 'string', default: '1' },
  },
});
const port = Number(values.port);
const ca = readFileSync(String(values.ca));

/** @type {Map<string, http2.ClientHttp2Session>} */
const sessions = new Map();

/** One HTTP/2 connection per host name; all of them lead to the stand-in on loopback. @param {string} host */
const sessionFor = (host) => {
  const known = sessions.get(host);
  if (known) return known;
  const session = http2.connect(`https://${host}`, {
    createConnection: () => tls.connect({ host: '127.0.0.1', port, servername: host, ca, ALPNProtocols: ['h2'] }),
  });
  sessions.set(host, session);
  return session;
};

/** @param {{ host: string, method: string, path: string, headers: Record<string, string>, body?: Buffer }} request */
const send = ({ host, method, path, headers, body }) =>
  new Promise((resolve, reject) => {
    const stream = sessionFor(host).request(
      { ':method': method, ':authority': host, ':path': path, ...headers },
      { endStream: !body },
    );
    const digest = new Digest();
    let status = 0;
    stream.on('response', (head) => {
      status = Number(head[':status']);
    });
    stream.on('data', (piece) => digest.update(piece));
    stream.on('end', () => resolve({ host, path, status, ...digest.done() }));
    stream.on('error', reject);
    if (body) stream.end(body);
  });

/** @param {(typeof BOOT)[number][]} requests */
const inOrder = async (requests) => {
  const results = [];
  for (const request of requests) results.push(await send(request));
  return results;
};

/** Two turns on one socket: the tool call, then its result. */
const socketTurns = () =>
  new Promise((resolve, reject) => {
    const connector = buildConnector({ ca });
    const dispatcher = new Agent({
      connect: (options, done) =>
        connector({ ...options, hostname: '127.0.0.1', port: String(port), servername: HOSTS.api }, done),
    });
    const socket = new WebSocket(`wss://${HOSTS.api}/responses`, { dispatcher, headers: SOCKET_HEADERS });
    let turns = 0;
    const ask = () =>
      socket.send(
        JSON.stringify({
          type: 'response.create',
          ...responsesBody(turns === 1, false),
          initiator: turns === 0 ? 'user' : 'agent',
        }),
      );
    socket.addEventListener('open', ask);
    socket.addEventListener('error', (event) => reject(event.error ?? new Error('websocket failed')));
    socket.addEventListener('message', ({ data }) => {
      if (JSON.parse(data).type !== 'response.completed') return;
      turns++;
      if (turns < 2) return ask();
      socket.close();
    });
    socket.addEventListener('close', () => resolve({ host: HOSTS.api, path: '/responses', status: 101, turns }));
  });

await waitForGo({ standIn: true });
const results = [];
for (let round = 0; round < Number(values.rounds); round++) {
  results.push(
    ...(await Promise.all(BOOT.map(send))),
    ...(await inOrder(CHAT)),
    ...(await Promise.all(EDITING.map(send))),
  );
  if (!values['no-socket']) results.push(await socketTurns());
}
await Promise.all(
  [...sessions.values()].map((session) => new Promise((resolve) => session.close(() => resolve(undefined)))),
);
say({ done: true, results });
leave();
