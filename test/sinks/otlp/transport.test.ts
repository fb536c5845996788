// What a user is told when a collector is not what the address says. Real servers on the loopback interface.
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { traceRequest } from '../../../src/sinks/otlp/request.ts';
import { openTransport } from '../../../src/sinks/otlp/transport.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function portOf(server: Server): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const send = (address: string, stop?: AbortSignal) => openTransport(address, {}, stop).traces(traceRequest([], '1'));

test.each(['http', 'grpc'])('%s to a port where nothing listens', async (scheme) => {
  const server = createServer();
  const port = await portOf(server);
  await new Promise((resolve) => server.close(resolve));
  expect(await send(`${scheme}://127.0.0.1:${port}`)).toMatchObject({
    reason: 'nothing listens there (connection refused)',
    isPassing: true,
  });
});

test('a port that browsers refuse is a port like any other', async () => {
  expect(await send('http://127.0.0.1:6000')).toMatchObject({ reason: 'nothing listens there (connection refused)' });
});

test('HTTP to a gRPC port, gRPC to an HTTP port, TLS to either', async () => {
  const grpc = await portOf(createHttp2Server());
  const http = await portOf(createHttpServer((_, response) => response.end()));
  expect(await send(`http://127.0.0.1:${grpc}`)).toMatchObject({
    reason: 'it does not speak HTTP: for a gRPC port say grpc://…',
  });
  expect(await send(`grpc://127.0.0.1:${http}`)).toMatchObject({
    reason: expect.stringMatching(/HTTP port say http:/),
  });
  for (const scheme of ['https', 'grpcs'])
    expect(await send(`${scheme}://127.0.0.1:${http}`)).toMatchObject({
      reason: 'the TLS handshake failed: for a collector without TLS say http:// or grpc://',
    });
});

test('a request that is under way ends when it shall', async () => {
  const stop = new AbortController();
  const port = await portOf(createHttpServer(() => stop.abort()));
  expect(await send(`http://127.0.0.1:${port}`, stop.signal)).toBeDefined();
});
