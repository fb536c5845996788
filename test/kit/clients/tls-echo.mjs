// A client of protocols that are no HTTP, over TLS to an echo: one connection per greeting, then many pieces of binary data.
//
//   node tls-echo.mjs PORT CA-FILE GREETING-IN-HEX…
import { readFileSync } from 'node:fs';
import { connect } from 'node:tls';
import { seededBytes } from '../service/bytes.mjs';
import { leave, say, waitForGo } from './go.mjs';

const [port, ca, ...greetings] = process.argv.slice(2);
const PIECES = 40;
const PIECE_BYTES = 16_000;

/** Sends and waits until all of it has come back. @param {import('node:tls').TLSSocket} socket @param {Uint8Array} bytes @returns {Promise<void>} */
const echoed = (socket, bytes) =>
  new Promise((resolve) => {
    let left = bytes.length;
    /** @param {Buffer} part */
    const take = (part) => {
      left -= part.length;
      if (left > 0) return;
      socket.off('data', take);
      resolve();
    };
    socket.on('data', take);
    socket.write(bytes);
  });

await waitForGo({});
for (const greeting of greetings) {
  const socket = connect({ port: Number(port), host: '127.0.0.1', ca: readFileSync(String(ca)), servername: 'localhost' });
  await new Promise((resolve) => socket.once('secureConnect', resolve));
  await echoed(socket, Buffer.from(greeting, 'hex'));
  // One after the other, so that the tracer has time to say that it has seen enough.
  for (let piece = 0; piece < PIECES; piece++) {
    await echoed(socket, seededBytes(piece + 1, PIECE_BYTES));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  socket.destroy();
}
say({ done: true, pieceBytes: PIECES * PIECE_BYTES });
leave();
