// A relay on loopback that writes down the plaintext of one connection at a time, chunk by chunk in the order in which it
// passed. In front of TLS clients it ends the TLS itself and speaks plaintext to the origin.
import { connect, createServer as createTcpServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { makeCertificate } from '../service/certificate.mjs';

/** @typedef {{ dir: 'out' | 'in', bytes: Buffer }} Segment */

/** @param {import('node:net').Server} server @returns {Promise<number>} */
export const listen = (server) =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(/** @type {import('node:net').AddressInfo} */ (server.address()).port));
  });

/** @param {import('node:net').Socket} from @param {import('node:net').Socket} to @param {(bytes: Buffer) => void} see */
const pipe = (from, to, see) => {
  from.on('data', (bytes) => {
    see(bytes);
    to.write(bytes);
  });
  from.on('end', () => to.end());
  from.on('error', () => to.destroy());
};

/**
 * `alpn` is what TLS clients are offered; undefined: plaintext. `connections` has what each connection said, oldest first.
 * @param {number} originPort @param {string} [alpn]
 */
export const startRelay = async (originPort, alpn) => {
  /** @type {Segment[][]} */
  const connections = [];
  /** @param {import('node:net').Socket} client */
  const accept = (client) => {
    const origin = connect(originPort, '127.0.0.1');
    /** @type {Segment[]} */
    const segments = [];
    connections.push(segments);
    pipe(client, origin, (bytes) => segments.push({ dir: 'out', bytes }));
    pipe(origin, client, (bytes) => segments.push({ dir: 'in', bytes }));
  };
  const server =
    alpn === undefined
      ? createTcpServer({ allowHalfOpen: true }, accept)
      : createTlsServer({ ...makeCertificate('relay', ['localhost']), ALPNProtocols: [alpn] }, accept);
  server.on('tlsClientError', () => {});
  const port = await listen(server);
  return { port, connections, close: () => server.close() };
};
