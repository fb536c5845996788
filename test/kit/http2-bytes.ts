// Real HTTP/2 bytes (Node's nghttp2: Huffman-coded fields, dynamic table) of one scripted connection, both directions, in
// the order in which they passed. Plain text over loopback: what a TLS library would have been given.
import { once } from 'node:events';
import http2 from 'node:http2';
import net, { type AddressInfo } from 'node:net';

export interface Http2Exchange {
  readonly request: http2.OutgoingHttpHeaders;
  readonly body?: string | Buffer;
  readonly response: http2.OutgoingHttpHeaders;
  /** Written one after the other: each becomes a DATA frame at least. */
  readonly answer: readonly (string | Buffer)[];
}

export interface Http2Piece {
  readonly dir: 'out' | 'in';
  readonly bytes: Buffer;
}

const listen = async (server: net.Server): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

async function answer(stream: http2.ServerHttp2Stream, { response, answer: pieces }: Http2Exchange): Promise<void> {
  for await (const _ of stream);
  stream.respond(response);
  for (const piece of pieces) {
    stream.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  stream.end();
}

async function ask(client: http2.ClientHttp2Session, { request, body }: Http2Exchange): Promise<void> {
  const stream = client.request(request);
  stream.end(body);
  for await (const _ of stream);
}

/** Runs the exchanges one after the other. */
export async function http2Bytes(exchanges: readonly Http2Exchange[]): Promise<Http2Piece[]> {
  const pieces: Http2Piece[] = [];
  const waiting = [...exchanges];
  const server = http2.createServer();
  server.on('stream', (stream) => {
    const exchange = waiting.shift();
    if (exchange !== undefined) void answer(stream, exchange);
  });
  const serverPort = await listen(server as unknown as net.Server);
  const tap = net.createServer((near) => {
    const far = net.connect(serverPort, '127.0.0.1');
    near.on('data', (bytes) => {
      pieces.push({ dir: 'out', bytes });
      far.write(bytes);
    });
    far.on('data', (bytes) => {
      pieces.push({ dir: 'in', bytes });
      near.write(bytes);
    });
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    for (const socket of [near, far]) socket.on('error', () => socket.destroy());
  });
  const client = http2.connect(`http://127.0.0.1:${await listen(tap)}`);
  for (const exchange of exchanges) await ask(client, exchange);
  client.close();
  await once(client, 'close');
  server.close();
  tap.close();
  return pieces;
}
