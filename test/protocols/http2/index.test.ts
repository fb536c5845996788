// Real traffic: Node's http2 client and server (nghttp2) over plain TCP through a recording relay. What we decode must
// equal what the server saw and sent.

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  type ClientHttp2Session,
  connect,
  constants,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import { afterEach, expect, test } from 'vitest';
import type { RequestHead, ResponseHead } from '../../../src/model/index.ts';
import { type ExchangeSeen, fold, type Relay, run, sha256, startRelay } from './kit.ts';

interface Seen {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function startServer(
  onStream: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void,
): Promise<number> {
  const server: Http2Server = createServer();
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    onStream(stream, headers);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => new Promise((done) => server.close(() => done())));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function relayTo(port: number): Promise<Relay> {
  const relay = await startRelay(port);
  closers.push(() => relay.close());
  return relay;
}

/** Ends the session and waits until everything has passed the relay. */
async function closed(client: ClientHttp2Session): Promise<void> {
  client.close();
  await once(client, 'close');
}

/** Reads a stream to its end. */
async function readAll(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

const request = (exchange: ExchangeSeen): RequestHead => exchange.request.head as RequestHead;
const response = (exchange: ExchangeSeen): ResponseHead => exchange.response.head as ResponseHead;
const decode = (relay: Relay): Map<number, ExchangeSeen> => {
  const events = run(relay.connections[0] ?? []);
  expect(events.filter(({ type }) => type === 'wire-error')).toEqual([]);
  return fold(events);
};

test('200 parallel streams with bodies both ways are paired, with the header fields and bodies that the server saw', async () => {
  const saw = new Map<string, Seen>();
  const port = await startServer(async (stream, headers) => {
    const body = await readAll(stream);
    saw.set(String(headers[':path']), { headers, body });
    stream.respond({ ':status': 200, 'x-length': String(body.length), 'content-type': 'text/plain' });
    stream.end(Buffer.concat([body, body]));
  });
  const relay = await relayTo(port);
  const client = connect(`http://127.0.0.1:${relay.port}`);
  await Promise.all(
    Array.from({ length: 200 }, async (_, n) => {
      const stream = client.request({ ':method': 'POST', ':path': `/p/${n}?q=ä`, 'x-n': `${n}`, 'user-agent': 'test' });
      stream.end(randomBytes(n * 50));
      await readAll(stream);
    }),
  );
  await closed(client);
  const exchanges = decode(relay);
  expect(exchanges.size).toBe(200);
  for (const exchange of exchanges.values()) {
    const { method, path, authority, scheme, headers, unknown } = request(exchange);
    const truth = saw.get(path ?? '') as Seen;
    expect({ method, authority, scheme, unknown }).toEqual({
      method: 'POST',
      authority: `127.0.0.1:${relay.port}`,
      scheme: 'http',
      unknown: [],
    });
    expect(headers).toEqual(Object.entries(truth.headers).filter(([name]) => !name.startsWith(':')));
    expect(sha256(exchange.request.body)).toBe(sha256(truth.body));
    expect(sha256(exchange.response.body)).toBe(sha256(Buffer.concat([truth.body, truth.body])));
    expect(response(exchange).status).toBe(200);
    expect(response(exchange).headers).toContainEqual(['x-length', String(truth.body.length)]);
    expect([exchange.request.ended, exchange.response.ended]).toEqual([true, true]);
  }
});

test('bodies of 5 MB both ways arrive byte for byte', async () => {
  const up = randomBytes(5_000_000);
  const down = randomBytes(5_000_000);
  const port = await startServer(async (stream) => {
    expect(sha256(await readAll(stream))).toBe(sha256(up));
    stream.respond({ ':status': 200 });
    stream.end(down);
  });
  const relay = await relayTo(port);
  const client = connect(`http://127.0.0.1:${relay.port}`);
  const stream = client.request({ ':method': 'PUT', ':path': '/big' });
  stream.end(up);
  await readAll(stream);
  await closed(client);
  const exchange = decode(relay).get(1) as ExchangeSeen;
  expect([exchange.request.body.length, sha256(exchange.request.body)]).toEqual([5_000_000, sha256(up)]);
  expect([exchange.response.body.length, sha256(exchange.response.body)]).toEqual([5_000_000, sha256(down)]);
});

test('trailers, 1xx responses, pushes and resets are told apart', async () => {
  let sawReset = (): void => {};
  const resetSeen = new Promise<void>((done) => {
    sawReset = done;
  });
  const port = await startServer((stream, headers) => {
    if (headers[':path'] === '/reset') {
      stream.respond({ ':status': 200 });
      stream.write('begun');
      stream.on('close', sawReset);
      return;
    }
    stream.additionalHeaders({ ':status': 103, link: '</style.css>; rel=preload' });
    stream.pushStream({ ':path': '/pushed' }, (error, pushed) => {
      if (error) throw error;
      pushed.respond({ ':status': 200, 'x-pushed': 'yes' });
      pushed.end('pushed body');
    });
    stream.respond({ ':status': 201 }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end('body');
  });
  const relay = await relayTo(port);
  const client = connect(`http://127.0.0.1:${relay.port}`);
  const pushedDone = once(client, 'stream').then(([pushed]) => readAll(pushed));
  await readAll(client.request({ ':path': '/trailers' }));
  await pushedDone;
  const reset = client.request({ ':path': '/reset' });
  reset.on('error', () => {});
  await once(reset, 'data');
  reset.close(constants.NGHTTP2_CANCEL);
  await resetSeen;
  await closed(client);
  const exchanges = decode(relay);
  const first = exchanges.get(1) as ExchangeSeen;
  expect(first.informational.map(({ status, headers }) => [status, headers[0]])).toEqual([
    [103, ['link', '</style.css>; rel=preload']],
  ]);
  expect(response(first).status).toBe(201);
  expect(first.response.body.toString()).toBe('body');
  expect(first.response.trailers).toEqual([['grpc-status', '0']]);
  const pushed = exchanges.get(2) as ExchangeSeen;
  expect(request(pushed).path).toBe('/pushed');
  expect(response(pushed).headers).toContainEqual(['x-pushed', 'yes']);
  expect(pushed.response.body.toString()).toBe('pushed body');
  expect([pushed.request.ended, pushed.response.ended]).toEqual([true, true]);
  const third = exchanges.get(3) as ExchangeSeen;
  expect(third.reset).toBe(8);
  expect(third.response.body.toString()).toBe('begun');
});

test('an extended CONNECT becomes an upgrade and its DATA stay body bytes of the stream', async () => {
  const server = createServer({ settings: { enableConnectProtocol: true } });
  server.on('stream', (stream) => {
    stream.respond({ ':status': 200 });
    stream.on('data', (bytes) => stream.end(bytes));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => new Promise((done) => server.close(() => done())));
  const address = server.address() as { port: number };
  const relay = await relayTo(address.port);
  const client = connect(`http://127.0.0.1:${relay.port}`);
  await once(client, 'remoteSettings');
  const stream = client.request({
    ':method': 'CONNECT',
    ':protocol': 'websocket',
    ':path': '/chat',
    ':scheme': 'http',
  });
  stream.end('ping');
  await readAll(stream);
  await closed(client);
  const exchange = decode(relay).get(1) as ExchangeSeen;
  expect(exchange.upgrade).toBe('websocket');
  expect(request(exchange).protocol).toBe('websocket');
  expect([exchange.request.body.toString(), exchange.response.body.toString()]).toEqual(['ping', 'ping']);
});

test('SETTINGS_HEADER_TABLE_SIZE of both sides takes effect without an error over many requests', async () => {
  const server = createServer({ settings: { headerTableSize: 0 } });
  server.on('stream', (stream, headers) => {
    stream.respond({ ':status': 200, 'x-echo': String(headers['x-n']), 'x-fixed': 'the same each time' });
    stream.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => new Promise((done) => server.close(() => done())));
  const relay = await relayTo((server.address() as { port: number }).port);
  const client = connect(`http://127.0.0.1:${relay.port}`, { settings: { headerTableSize: 128 } });
  for (let n = 0; n < 20; n++) {
    if (n === 10) await new Promise<void>((done) => client.settings({ headerTableSize: 65_536 }, () => done()));
    await readAll(client.request({ ':path': '/', 'x-n': `n${n}`, 'x-fixed': 'the same each time' }));
  }
  await closed(client);
  const exchanges = [...decode(relay).values()];
  expect(exchanges.map((e) => response(e).headers.find(([name]) => name === 'x-echo')?.[1])).toEqual(
    Array.from({ length: 20 }, (_, n) => `n${n}`),
  );
});
