// Serves metrics to a scraper on this machine: loopback only, a bearer token, and no other Host than our own, so that no web
// page in a browser can read them by pointing a name at 127.0.0.1 (DNS rebinding).

import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TracerError } from '../../errors.ts';

const ADDRESS = '127.0.0.1';
/** A scraper sends one small request. */
const REQUEST_TIMEOUT_MS = 5_000;
const MAX_CONNECTIONS = 16;

export interface Page {
  readonly type: string;
  readonly text: string;
}

export interface MetricsServer {
  readonly url: string;
  close(): Promise<void>;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The time that it takes tells nothing of the token. */
const isToken = (header: string | undefined, token: string): boolean =>
  header !== undefined && timingSafeEqual(digest(header), digest(`Bearer ${token}`));

/** Status of a refusal; null when the request is in order. */
function refusal({ method, url, headers }: IncomingMessage, port: number, token: string): number | null {
  const hosts = [`${ADDRESS}:${port}`, `localhost:${port}`];
  if (!hosts.includes(headers.host ?? '')) return 421;
  if (headers.origin !== undefined) return 403;
  if (!isToken(headers.authorization, token)) return 401;
  if (url !== '/metrics') return 404;
  return method === 'GET' ? null : 405;
}

/** `port` 0: any. Throws E_METRICS_LISTEN. */
export async function serveMetrics(port: number, token: string, page: () => Promise<Page>): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    const status = refusal(request, (server.address() as AddressInfo).port, token);
    if (status !== null) {
      response
        .writeHead(status, { connection: 'close', ...(status === 401 && { 'www-authenticate': 'Bearer' }) })
        .end();
      return;
    }
    void page().then(({ type, text }) => {
      response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  await listen(server, port);
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://${ADDRESS}:${bound}/metrics`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function listen(server: Server, port: number): Promise<void> {
  try {
    server.listen(port, ADDRESS);
    await once(server, 'listening');
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new TracerError('E_METRICS_LISTEN', { address: `${ADDRESS}:${port}`, reason }, { cause });
  }
}
