// The servers whose connections are recorded: Node's own for both versions of HTTP with every turn of the protocol that a
// path can ask for, and Debian's nginx, nghttpd and nghttpx. Plaintext on loopback.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer as createHttp1 } from 'node:http';
import { createServer as createHttp2 } from 'node:http2';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { seededText } from '../service/bytes.mjs';
import { listen } from './relay.mjs';

/** @typedef {{ port: number, close(): void }} Origin */
/** @typedef {{ method: string, query: URLSearchParams, body: Buffer, accepts: string }} Ask */
/** @typedef {{ status?: number, headers?: Record<string, string | string[]>, pieces?: (string | Buffer)[], trailers?: Record<string, string>, hints?: Record<string, string>, push?: string[], resetAfter?: number }} Answer */

const FIELD_CHARS = 3000;

/** @param {Ask} ask @returns {Answer} */
const text = ({ query }) => ({
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  pieces: [seededText(Number(query.get('seed') ?? 1), Number(query.get('n') ?? 2000))],
});

/** @param {(bytes: string) => Buffer} compress @param {string} coding @returns {(ask: Ask) => Answer} */
const coded = (compress, coding) => (ask) => ({
  headers: { 'content-type': 'text/plain; charset=utf-8', 'content-encoding': coding, vary: 'accept-encoding' },
  pieces: [compress(seededText(Number(ask.query.get('seed') ?? 2), Number(ask.query.get('n') ?? 9000)))],
});

const GRPC_MESSAGE = Buffer.from([0, 0, 0, 0, 7, 10, 5, 104, 101, 108, 108, 111]);
const GRPC_HEADERS = { 'content-type': 'application/grpc+proto', 'grpc-encoding': 'identity' };

/** @type {Record<string, (ask: Ask) => Answer>} */
const ROUTES = {
  '/text': text,
  '/gzip': coded((bytes) => gzipSync(bytes), 'gzip'),
  '/deflate': coded((bytes) => deflateSync(bytes), 'deflate'),
  '/br': coded((bytes) => brotliCompressSync(bytes), 'br'),
  '/pieces': ({ query }) => ({
    headers: { 'content-type': 'text/plain' },
    pieces: Array.from({ length: Number(query.get('count') ?? 20) }, (_, at) => seededText(at + 1, 30 + at)),
  }),
  '/trailers': () => ({
    headers: { 'content-type': 'text/plain', trailer: 'x-checksum, x-note' },
    pieces: ['some body, ', 'then trailers\n'],
    trailers: { 'x-checksum': '0f1e2d3c', 'x-note': 'the end' },
  }),
  '/hints': () => ({
    hints: { link: '</style.css>; rel=preload; as=style' },
    headers: { 'content-type': 'text/html' },
    pieces: ['<!doctype html><title>hinted</title>'],
  }),
  '/grpc.Echo/Say': () => ({
    headers: GRPC_HEADERS,
    pieces: [GRPC_MESSAGE, GRPC_MESSAGE],
    trailers: { 'grpc-status': '0', 'grpc-message': '' },
  }),
  '/grpc.Echo/Fail': () => ({
    headers: { ...GRPC_HEADERS, 'grpc-status': '5', 'grpc-message': 'no such%20thing' },
  }),
  '/big-fields': () => ({
    headers: Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [`x-field-${at}`, seededText(at + 1, FIELD_CHARS).replace(/[^ -~]/g, '')]),
    ),
    pieces: ['fields of more than one frame\n'],
  }),
  '/cookies': () => ({
    headers: { 'set-cookie': ['a=1; Path=/', 'b=2; HttpOnly', 'c=3; Secure'], 'x-empty': '' },
    pieces: ['cookies\n'],
  }),
  '/none': () => ({ status: 204 }),
  '/unchanged': () => ({ status: 304, headers: { etag: '"v1"' } }),
  '/missing': () => ({ status: 404, headers: { 'content-type': 'application/json' }, pieces: ['{"error":"missing"}'] }),
  '/sse': () => ({
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
    pieces: Array.from({ length: 12 }, (_, at) => `id: ${at}\ndata: {"delta":"${seededText(at + 1, 12).trim()}"}\n\n`),
  }),
  '/echo': ({ body }) => ({ headers: { 'content-type': 'application/octet-stream' }, pieces: [body] }),
  '/reset': () => ({ headers: { 'content-type': 'text/plain' }, pieces: ['this will not ', 'be all'], resetAfter: 2 }),
  '/push': () => ({
    headers: { 'content-type': 'text/html' },
    pieces: ['<script src="/text?n=700&seed=5"></script>'],
    push: ['/text?n=700&seed=5', '/gzip?n=900&seed=6'],
  }),
  '/page': () => ({
    headers: { 'content-type': 'text/html; charset=utf-8' },
    pieces: [
      '<!doctype html><title>page</title><link rel="icon" href="data:,">',
      '<script>Promise.all(["/gzip?n=4000","/br?n=4000","/sse","/cookies","/trailers",',
      '"/missing"].map((p)=>fetch(p).then((r)=>r.text()))).then(()=>fetch("/echo",{method:"POST",',
      'body:"x".repeat(3000)})).then(()=>fetch("/none?done=1"))</script>',
    ],
  }),
};

/** @param {string} target @returns {{ route: (ask: Ask) => Answer, query: URLSearchParams }} */
const routeOf = (target) => {
  const url = new URL(target, 'http://h');
  return { route: ROUTES[url.pathname] ?? ROUTES['/missing'] ?? text, query: url.searchParams };
};

/** @param {AsyncIterable<Buffer>} stream */
const bodyOf = async (stream) => {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
};

/** @returns {Promise<Origin>} */
export const startNodeHttp1 = async () => {
  const server = createHttp1(async (request, response) => {
    const { route, query } = routeOf(request.url ?? '/');
    const body = await bodyOf(request);
    const answer = route({ method: request.method ?? '', query, body, accepts: '' });
    if (answer.hints !== undefined) response.writeEarlyHints(answer.hints);
    if (answer.pieces?.length === 1 && answer.trailers === undefined) {
      response.setHeader('content-length', Buffer.byteLength(/** @type {string} */ (answer.pieces[0])));
    }
    response.writeHead(answer.status ?? 200, answer.headers);
    for (const piece of answer.pieces ?? []) {
      response.write(piece);
      await sleep(1);
    }
    if (answer.trailers !== undefined) response.addTrailers(answer.trailers);
    if (answer.resetAfter !== undefined) response.destroy();
    else response.end();
  });
  return { port: await listen(server), close: () => server.close() };
};

/** @param {import('node:http2').ServerHttp2Stream} stream @param {Answer} answer */
const answerHttp2 = async (stream, answer) => {
  for (const path of stream.pushAllowed ? (answer.push ?? []) : []) {
    stream.pushStream({ ':path': path }, (error, pushed) => {
      const { route, query } = routeOf(path);
      if (error === null) {
        answerHttp2(pushed, route({ method: 'GET', query, body: Buffer.alloc(0), accepts: '' }));
      }
    });
  }
  if (answer.hints !== undefined) stream.additionalHeaders({ ':status': 103, ...answer.hints });
  const { trailers } = answer;
  const head = { ':status': answer.status ?? 200, ...answer.headers };
  stream.respond(head, { endStream: answer.pieces === undefined, waitForTrailers: trailers !== undefined });
  if (trailers !== undefined) stream.on('wantTrailers', () => stream.sendTrailers(trailers));
  if (answer.pieces === undefined) return;
  for (const piece of answer.pieces) {
    stream.write(piece);
    await sleep(1);
  }
  if (answer.resetAfter === undefined) stream.end();
  else stream.close(2);
};

/** @returns {Promise<Origin>} */
export const startNodeHttp2 = async () => {
  const settings = { maxConcurrentStreams: 250, enableConnectProtocol: true, maxHeaderListSize: 1 << 18 };
  const server = createHttp2({ settings, maxSendHeaderBlockLength: 1 << 18 });
  server.on('stream', async (stream, headers) => {
    stream.on('error', () => {});
    const { route, query } = routeOf(String(headers[':path']));
    const body = await bodyOf(stream);
    if (!stream.destroyed) {
      await answerHttp2(stream, route({ method: String(headers[':method']), query, body, accepts: '' }));
    }
  });
  server.on('session', (session) => session.on('error', () => {}));
  return { port: await listen(server), close: () => server.close() };
};

const freePort = async () => {
  const server = createServer();
  const port = await listen(server);
  server.close();
  return port;
};

/** @param {number} port @returns {Promise<void>} */
const untilOpen = async (port) => {
  for (;;) {
    const isOpen = await new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true));
      socket.on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
    if (isOpen) return;
    await sleep(50);
  }
};

/** @param {string} command @param {(port: number) => string[]} args @returns {Promise<Origin>} */
const startProgram = async (command, args) => {
  const port = await freePort();
  const child = spawn(command, args(port), { stdio: ['ignore', 'ignore', 'inherit'] });
  await untilOpen(port);
  return { port, close: () => child.kill() };
};

/** Static files for nginx and nghttpd. @param {string} folder */
export const makeDocuments = (folder) => {
  const htdocs = join(folder, 'htdocs');
  mkdirSync(htdocs, { recursive: true });
  writeFileSync(join(htdocs, 'index.html'), '<!doctype html><link rel="stylesheet" href="/style.css"><p>index</p>\n');
  writeFileSync(join(htdocs, 'style.css'), 'p { color: teal }\n'.repeat(60));
  writeFileSync(join(htdocs, 'text.txt'), seededText(21, 30_000));
  writeFileSync(join(htdocs, 'small.json'), '{"models":[{"id":"a"},{"id":"b"}]}\n'.repeat(40));
  return htdocs;
};

/** @param {string} htdocs @param {string[]} [options] @returns {Promise<Origin>} */
export const startNghttpd = (htdocs, options = []) =>
  startProgram('nghttpd', (port) => ['--no-tls', '-d', htdocs, ...options, String(port)]);

/** HTTP/2 in front, HTTP/1 behind. @param {number} backend @returns {Promise<Origin>} */
export const startNghttpx = (backend) =>
  startProgram('nghttpx', (port) => [
    `--frontend=127.0.0.1,${port};no-tls`,
    `--backend=127.0.0.1,${backend};/`,
    '--conf=/dev/null',
    '--log-level=ERROR',
    '--errorlog-file=/dev/null',
    '--accesslog-file=/dev/null',
  ]);

/** @param {string} folder @param {string} htdocs @param {number} backend @param {boolean} isHttp2 @returns {Promise<Origin>} */
export const startNginx = (folder, htdocs, backend, isHttp2) =>
  startProgram('nginx', (port) => {
    const file = join(folder, `nginx-${port}.conf`);
    writeFileSync(
      file,
      `daemon off; worker_processes 1; pid ${folder}/nginx-${port}.pid; error_log /dev/null;
events { worker_connections 64; }
http {
  types { text/html html; text/css css; text/plain txt; application/json json; }
  access_log off; gzip on; gzip_min_length 100; gzip_types text/plain application/json text/css;
  client_body_temp_path ${folder}/a; proxy_temp_path ${folder}/b; fastcgi_temp_path ${folder}/c;
  uwsgi_temp_path ${folder}/d; scgi_temp_path ${folder}/e;
  server {
    listen 127.0.0.1:${port}${isHttp2 ? ' http2' : ''};
    root ${htdocs};
    location = /index.html { ${isHttp2 ? 'http2_push /style.css;' : ''} }
    location /to/ { proxy_pass http://127.0.0.1:${backend}/; proxy_http_version 1.1; proxy_buffering off; }
  }
}
`,
    );
    return ['-c', file, '-e', '/dev/null'];
  });

/** Server and client of WebSockets that share no code with this project. */
export const WEBSOCKET = fileURLToPath(new URL('websocket.py', import.meta.url));

/** What is negotiated for compression. */
export const SOCKET_MODES = ['takeover', 'no-takeover', 'small-window', 'plain'];

/** @param {string} mode @returns {Promise<Origin>} */
export const startSockets = async (mode) => {
  const child = spawn('/usr/bin/python3', [WEBSOCKET, 'serve', mode], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(createInterface({ input: child.stdout }), 'line');
  return { port: Number(port), close: () => child.kill() };
};
