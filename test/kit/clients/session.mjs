// STAND-IN for a Copilot client that follows a golden session (test/kit/sessions): one HTTP/2 connection per host, requests one
// after the other or side by side as the session says, WebSockets through undici as the editor's extension host opens them.
//
//   node test/kit/clients/session.mjs --session NAME --port N --ca FILE
import { readFileSync } from 'node:fs';
import http2 from 'node:http2';
import tls from 'node:tls';
import { parseArgs } from 'node:util';
import { Agent, buildConnector, WebSocket } from 'undici';
import { SESSIONS } from '../sessions/index.mjs';
import { leave, say, waitForGo } from './go.mjs';

const { values } = parseArgs({ options: { session: { type: 'string' }, port: { type: 'string' }, ca: { type: 'string' } } });
const port = Number(values.port);
const ca = readFileSync(String(values.ca));
const { steps } = SESSIONS[String(values.session)]();

/** @type {Map<string, http2.ClientHttp2Session>} */
const connections = new Map();

/** @param {string} host */
const connectionTo = (host) => {
  const known = connections.get(host);
  if (known) return known;
  const connection = http2.connect(`https://${host}`, {
    createConnection: () => tls.connect({ host: '127.0.0.1', port, servername: host.replace(/:\d+$/, ''), ca, ALPNProtocols: ['h2'] }),
  });
  connections.set(host, connection);
  return connection;
};

const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param {import('../sessions/build.mjs').Request} request @returns {Promise<number>} status */
const send = ({ host, method, path, headers, body }) =>
  new Promise((resolve, reject) => {
    const head = { ':method': method, ':authority': host, ':path': path, ...headers };
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const stream = connectionTo(host).request({ ...head, ...length }, { endStream: body === undefined });
    let status = 0;
    stream.on('response', (response) => {
      status = Number(response[':status']);
    });
    stream.resume().on('end', () => resolve(status));
    stream.on('error', reject);
    if (body !== undefined) stream.end(body);
  });

/** @param {import('../sessions/build.mjs').Socket} socket @returns {Promise<number>} */
const talk = ({ url, headers, messages }) =>
  new Promise((resolve, reject) => {
    const connector = buildConnector({ ca });
    const { hostname } = new URL(url);
    const dispatcher = new Agent({
      connect: (options, done) =>
        connector({ ...options, hostname: '127.0.0.1', port: String(port), servername: hostname }, done),
    });
    const socket = new WebSocket(url, { dispatcher, headers });
    const left = [...messages];
    const next = async () => {
      const message = left.shift();
      if (!message) return socket.close();
      await pause(message.afterMs ?? 0);
      socket.send(JSON.stringify(message.send));
    };
    socket.addEventListener('open', next);
    socket.addEventListener('error', (event) => reject(event.error ?? new Error('websocket failed')));
    socket.addEventListener('message', ({ data }) => {
      if (JSON.parse(data).type === 'response.completed') void next();
    });
    socket.addEventListener('close', () => resolve(101));
  });

await waitForGo({ standIn: true });
/** @type {number[]} */
const statuses = [];
/** @type {Promise<number>[]} */
let running = [];
for (const step of steps) {
  if ('socket' in step) {
    statuses.push(await talk(step.socket));
    continue;
  }
  if (!step.together) {
    statuses.push(...(await Promise.all(running)));
    running = [];
    await pause(step.afterMs ?? 0);
  }
  running.push(send(step.request));
}
statuses.push(...(await Promise.all(running)));
for (const connection of connections.values()) await new Promise((resolve) => connection.close(() => resolve(undefined)));
say({ done: true, statuses });
leave();
