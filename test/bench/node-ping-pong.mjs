// Rounds of one message each way between two TLS sockets of this process, over loopback TCP: Node's own OpenSSL.
//   node-ping-pong.mjs CERT KEY MESSAGE_BYTES
// Each line on stdin is a number of rounds; prints {"ns":N,"cpuNs":N} (CPU time: of all threads). The rounds of one line are the chunks of one HTTP/1.1 exchange
// (see test/kit/c/ping-pong.c).
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import tls from 'node:tls';

const [cert, key, size] = process.argv.slice(2);
const pem = readFileSync(String(cert));
const messageBytes = Number(size);

const chunk = () => {
  let dataBytes = messageBytes - 4;
  while (`${dataBytes.toString(16)}\r\n`.length + dataBytes + 2 > messageBytes) dataBytes--;
  return Buffer.from(`${dataBytes.toString(16)}\r\n${'x'.repeat(dataBytes)}\r\n`);
};

/** One end: `receive(n)` resolves when n more bytes have come. */
class End {
  #waiting = 0;
  #got = 0;
  /** @type {(() => void) | undefined} */
  #resolve;

  /** @param {tls.TLSSocket} socket */
  constructor(socket) {
    this.socket = socket.setNoDelay(true);
    socket.on('data', (piece) => {
      this.#got += piece.length;
      this.#check();
    });
  }

  /** @param {number} bytes @returns {Promise<void>} */
  receive(bytes) {
    return new Promise((resolve) => {
      this.#waiting = bytes;
      this.#resolve = resolve;
      this.#check();
    });
  }

  #check() {
    if (!this.#resolve || this.#got < this.#waiting) return;
    const resolve = this.#resolve;
    this.#resolve = undefined;
    this.#got -= this.#waiting;
    resolve();
  }
}

/** @returns {Promise<[End, End]>} client and server */
const connect = () =>
  new Promise((resolve) => {
    const server = tls.createServer({ cert: pem, key: readFileSync(String(key)) }, (socket) =>
      resolve([new End(client), new End(socket)]),
    );
    /** @type {tls.TLSSocket} */
    let client;
    server.listen(0, '127.0.0.1', () => {
      const address = /** @type {import('node:net').AddressInfo} */ (server.address());
      client = tls.connect({ port: address.port, host: '127.0.0.1', ca: pem });
    });
  });

/** @param {End} from @param {End} to @param {string | Buffer} bytes */
const send = async (from, to, bytes) => {
  const arrived = to.receive(bytes.length);
  from.socket.write(bytes);
  await arrived;
};

const [client, server] = await connect();
const message = chunk();
process.stdout.write(`${JSON.stringify({ ready: true, pid: process.pid })}\n`);
for await (const line of createInterface({ input: process.stdin })) {
  await send(client, server, 'POST /ping HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n');
  await send(server, client, 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
  const begin = process.hrtime.bigint();
  const cpuBegin = process.cpuUsage();
  for (let round = 0; round < Number(line); round++) {
    await send(client, server, message);
    await send(server, client, message);
  }
  const { user, system } = process.cpuUsage(cpuBegin);
  const ns = Number(process.hrtime.bigint() - begin);
  await send(client, server, '0\r\n\r\n');
  await send(server, client, '0\r\n\r\n');
  process.stdout.write(`${JSON.stringify({ ns, cpuNs: (user + system) * 1000 })}\n`);
}
process.exit(0);
