// STAND-IN for the Copilot service: HTTPS on 127.0.0.1, HTTP/2 and HTTP/1.1 by ALPN on one port, a certificate made at start,
// invented answers in the real shapes. Nothing here talks to any network but loopback.
//
//   node test/kit/service.mjs [--dir DIR] [--port N]
//
// Prints one JSON line {port, pid, ca, key, truth, dir} when it listens; ends when its standard input closes, or on SIGTERM.
// `truth` is an NDJSON file: one line per finished exchange (see test/kit/truth.ts for the fields).
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { makeCertificate } from './service/certificate.mjs';
import { digestOf, Reply } from './service/reply.mjs';
import { serveResponsesSocket } from './service/responses-socket.mjs';
import { findRoute } from './service/routes.mjs';

const HOSTS = [
  'localhost',
  'api.github.com',
  'copilot-proxy.githubusercontent.com',
  'api.githubcopilot.com',
  '*.individual.githubcopilot.com',
];
const MAX_STREAMS = 1000;

const { values: options } = parseArgs({ options: { dir: { type: 'string' }, port: { type: 'string', default: '0' } } });
const ownDir = options.dir === undefined ? mkdtempSync(join(tmpdir(), 'standin-')) : undefined;
const dir = ownDir ?? String(options.dir);
mkdirSync(dir, { recursive: true });

const { key, cert } = makeCertificate('Stand-in for tests, not a real service', HOSTS);
const files = { ca: join(dir, 'ca.pem'), key: join(dir, 'key.pem'), truth: join(dir, 'truth.ndjson') };
writeFileSync(files.ca, cert);
writeFileSync(files.key, key, { mode: 0o600 });
// There when the first reader comes: the stream opens it a moment later.
writeFileSync(files.truth, '');
const truth = createWriteStream(files.truth, { flags: 'a' });

/** @param {object} line */
const log = (line) => truth.write(`${JSON.stringify(line)}\n`);

/** The body as it came, and the truth about it. @param {import('node:http2').Http2ServerRequest} request */
const readBody = async (request) => {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  const body = Buffer.concat(pieces);
  const coding = String(request.headers['content-encoding'] ?? '');
  const decoded = digestOf(coding === 'gzip' ? gunzipSync(body) : body);
  return {
    body,
    bodyTruth: { ...digestOf(body), decodedBytes: decoded.bytes, decodedSha256: decoded.sha256, coding },
  };
};

/** @param {import('node:http2').Http2ServerRequest} request @param {Reply} reply */
const answer = async (request, reply) => {
  const host = String(request.headers[':authority'] ?? request.headers.host ?? '');
  const method = request.method ?? '';
  const path = request.url ?? '';
  const { body, bodyTruth } = await readBody(request);
  reply.raw.once('close', () => {
    log({
      kind: 'exchange',
      httpVersion: request.httpVersion,
      method,
      path,
      host,
      headers: request.rawHeaders,
      request: bodyTruth,
      status: reply.status,
      response: reply.truth(),
      isFinished: reply.isFinished,
      expect: reply.expect,
      sse: reply.sse,
    });
  });
  const url = new URL(path, 'https://stand-in.invalid');
  const found = findRoute(method, url.pathname);
  if (!found) return reply.json(404, { message: 'stand-in: no such endpoint' });
  return found.route.answer({ method, host, query: url.searchParams, body, bodyTruth, reply, match: found.match });
};

const server = createSecureServer({ key, cert, allowHTTP1: true, settings: { maxConcurrentStreams: MAX_STREAMS } });
server.on('request', (request, response) => {
  answer(request, new Reply(response)).catch((error) => {
    process.stderr.write(`stand-in: ${request.method} ${request.url}: ${error.stack}\n`);
    response.destroy?.();
  });
});
server.on('upgrade', (request, socket) => serveResponsesSocket(request, socket, log));
// Clients that go away in the middle are part of the tests.
server.on('sessionError', () => {});
server.on('tlsClientError', () => {});

const stop = () => {
  truth.end(() => {
    if (ownDir) rmSync(ownDir, { recursive: true, force: true });
    process.exit(0);
  });
};
process.once('SIGTERM', stop);
process.stdin.once('end', stop).once('close', stop).resume();

server.listen(Number(options.port), '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  process.stdout.write(`${JSON.stringify({ standIn: true, port, pid: process.pid, dir, ...files })}\n`);
});
