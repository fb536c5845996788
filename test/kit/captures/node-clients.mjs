// The clients that live in Node: http2, http, undici, and requests written by hand for what no library sends. Each speaks
// on one connection to 127.0.0.1:port and returns when it has all answers.
import { Agent as KeepAliveAgent, request as httpRequest } from 'node:http';
import { connect as connectHttp2, constants } from 'node:http2';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Client, WebSocket } from 'undici';
import { seededText } from '../service/bytes.mjs';

/** @typedef {{ path: string, method?: string, headers?: Record<string, string>, body?: string | Buffer, trailers?: Record<string, string>, cancelAfter?: number }} Request */

/** @param {import('node:http2').ClientHttp2Session} session @param {Request} request @returns {Promise<void>} */
const askHttp2 = (session, { path, method = 'GET', headers = {}, body, trailers, cancelAfter }) =>
  new Promise((resolve) => {
    const head = { ':path': path, ':method': method, ...headers };
    const stream = session.request(head, { endStream: body === undefined, waitForTrailers: trailers !== undefined });
    if (trailers !== undefined) stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    stream.on('error', () => {});
    stream.on('close', resolve);
    stream.on('data', () => {
      if (cancelAfter !== undefined) stream.close(constants.NGHTTP2_CANCEL);
    });
    if (body !== undefined) stream.end(body);
  });

/**
 * All requests at once, or one after the other.
 * @param {number} port @param {readonly Request[]} requests
 * @param {{ parallel?: boolean, settings?: import('node:http2').Settings, between?: (session: import('node:http2').ClientHttp2Session) => Promise<void>, padding?: number }} [options]
 */
export const nodeHttp2 = async (port, requests, { parallel = false, settings, between, padding } = {}) => {
  const session = connectHttp2(`http://127.0.0.1:${port}`, {
    ...(settings === undefined ? {} : { settings }),
    ...(padding === undefined ? {} : { paddingStrategy: padding }),
    maxSendHeaderBlockLength: 1 << 18,
  });
  session.on('stream', (pushed) => pushed.on('error', () => {}).resume());
  session.on('error', () => {});
  if (parallel) await Promise.all(requests.map((request) => askHttp2(session, request)));
  else {
    for (const request of requests) {
      await askHttp2(session, request);
      await between?.(session);
    }
  }
  await new Promise((resolve) => session.close(() => resolve(undefined)));
};

/** Changes the settings and waits until the server has acknowledged them. @param {import('node:http2').Settings[]} values */
export const nextSettings = (values) => {
  const left = [...values];
  /** @param {import('node:http2').ClientHttp2Session} session @returns {Promise<void>} */
  return (session) =>
    new Promise((resolve) => {
      const next = left.shift();
      if (next === undefined) resolve();
      else session.settings(next, () => resolve());
    });
};

/** @param {number} port @param {readonly Request[]} requests */
export const nodeHttp1 = async (port, requests) => {
  const agent = new KeepAliveAgent({ keepAlive: true, maxSockets: 1 });
  for (const { path, method = 'GET', headers = {}, body, trailers } of requests) {
    await new Promise((resolve) => {
      const request = httpRequest({ port, host: '127.0.0.1', path, method, headers, agent }, (response) => {
        response.resume().on('close', resolve);
      });
      request.on('error', resolve);
      if (body !== undefined) request.write(body);
      if (trailers !== undefined) request.addTrailers(trailers);
      request.end();
    });
  }
  agent.destroy();
};

/** undici over TLS with HTTP/2, or plaintext with pipelining. @param {number} port @param {readonly Request[]} requests @param {{ isHttp2: boolean }} options */
export const undici = async (port, requests, { isHttp2 }) => {
  const client = isHttp2
    ? new Client(`https://127.0.0.1:${port}`, { allowH2: true, connect: { rejectUnauthorized: false } })
    : new Client(`http://127.0.0.1:${port}`, { pipelining: 4 });
  await Promise.all(
    requests.map(async ({ path, method = 'GET', headers = {}, body }) => {
      const response = await client.request({
        path,
        method: /** @type {import('undici').Dispatcher.HttpMethod} */ (method),
        headers,
        body: body ?? null,
      });
      await response.body.dump();
    }),
  );
  await client.close();
};

/** Bytes as they are; done when the server closes. @param {number} port @param {readonly string[]} pieces @returns {Promise<void>} */
export const byHand = (port, pieces) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', async () => {
      for (const piece of pieces) {
        socket.write(piece);
        await new Promise((next) => setTimeout(next, 15));
      }
    });
    socket.resume().on('close', () => resolve());
  });

/** @param {number} count @param {(at: number) => Request} make */
export const times = (count, make) => Array.from({ length: count }, (_, at) => make(at));

/** A request whose body is coded. @param {string} path @returns {Request} */
export const zippedPost = (path) => ({
  path,
  method: 'POST',
  headers: { 'content-encoding': 'gzip', 'content-type': 'application/json' },
  body: gzipSync(JSON.stringify({ text: seededText(9, 4000) })),
});

/** A WebSocket of undici: six texts, a binary message, three answers to each text and one to the other. @param {number} port @returns {Promise<void>} */
export const undiciSocket = (port) =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/undici`);
    let answers = 0;
    socket.addEventListener('open', () => {
      for (let n = 0; n < 6; n++) socket.send(JSON.stringify({ n, text: seededText(n + 1, 50 + 400 * n) }));
      socket.send(Buffer.alloc(5000, 'binary'));
    });
    socket.addEventListener('message', () => {
      answers += 1;
      if (answers === 19) socket.close(1000, 'read');
    });
    socket.addEventListener('close', () => resolve());
    socket.addEventListener('error', ({ message }) => reject(new Error(message)));
  });
