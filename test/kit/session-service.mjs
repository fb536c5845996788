// STAND-IN for the Copilot service that follows a golden session (test/kit/sessions): HTTPS on 127.0.0.1, HTTP/2 and HTTP/1.1
// by ALPN, a certificate made at start. Each request gets the answer of the session's next step for its method, host and path.
//
//   node test/kit/session-service.mjs --session NAME --dir DIR
//
// Prints one JSON line {port, ca} when it listens; ends when its standard input closes.
import { writeFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeCertificate } from './service/certificate.mjs';
import { acceptUpgrade, WebSocketPeer } from './service/websocket.mjs';
import { hostsOf } from './sessions/hosts.mjs';
import { SESSIONS } from './sessions/index.mjs';

const { values } = parseArgs({ options: { session: { type: 'string' }, dir: { type: 'string' } } });
const { steps } = SESSIONS[String(values.session)]();

/** Answers that wait, by request. @type {Map<string, import('./sessions/build.mjs').Response[]>} */
const waiting = new Map();
/** @param {string} method @param {string} host @param {string} path */
const keyOf = (method, host, path) => `${method} ${host} ${path}`;
for (const step of steps) {
  if (!('request' in step)) continue;
  const { method, host, path } = step.request;
  const key = keyOf(method, host, path);
  waiting.set(key, [...(waiting.get(key) ?? []), step.response]);
}
const sockets = steps.flatMap((step) => ('socket' in step ? [step.socket] : []));

/** @param {import('node:http2').Http2ServerResponse} response @param {import('./sessions/build.mjs').Response} answer */
const send = async (response, { status, headers, body, pieces = 1 }) => {
  response.writeHead(status, headers);
  const bytes = Buffer.from(body);
  const size = Math.ceil(bytes.length / pieces);
  for (let at = 0; at < bytes.length; at += size) {
    await new Promise((resolve) => response.write(bytes.subarray(at, at + size), resolve));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  response.end();
};

const dir = String(values.dir);
const { key, cert } = makeCertificate('Stand-in for golden sessions, not a real service', hostsOf(steps));
const ca = join(dir, 'ca.pem');
writeFileSync(ca, cert);

const server = createSecureServer({ key, cert, allowHTTP1: true });
server.on('request', (request, response) => {
  request.resume().on('end', () => {
    const host = String(request.headers[':authority'] ?? request.headers.host ?? '');
    const answer = waiting.get(keyOf(request.method, host, request.url))?.shift();
    if (answer) void send(response, answer);
    else response.writeHead(404).end();
  });
});
server.on('upgrade', (request, socket) => {
  const { compress } = acceptUpgrade(request, socket);
  const replies = sockets.shift()?.messages ?? [];
  const onMessage = async (/** @type {string} */ _text, /** @type {WebSocketPeer} */ peer) => {
    for (const event of replies.shift()?.receive ?? []) await peer.send(JSON.stringify(event));
  };
  new WebSocketPeer(socket, { compress, onMessage });
});
server.on('sessionError', () => {});
process.stdin.once('end', () => process.exit(0)).resume();
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  process.stdout.write(`${JSON.stringify({ port, ca })}\n`);
});
