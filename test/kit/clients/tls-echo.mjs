// A client of protocols that are no HTTP, over TLS to an echo: one connection per greeting, with some pieces of binary data and,
// at the next word to go, many more.
//
//   node tls-echo.mjs PORT CA-FILE GREETING-IN-HEX…
import { readFileSync } from 'node:fs';
import { connect } from 'node:tls';
import { seededBytes } from '../service/bytes.mjs';
import { leave, say, waitForGo } from './go.mjs';

const [port, ca, ...greetings] = process.argv.slice(2);
const PIECES_BEFORE = 9; // past the 128 KiB within which anything is named
const PIECES_AFTER = 40;
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

/** @param {import('node:tls').TLSSocket} socket @param {number} count @returns {Promise<void>} */
const pieces = async (socket, count) => {
  for (let piece = 0; piece < count; piece++) await echoed(socket, seededBytes(piece + 1, PIECE_BYTES));
};

await waitForGo({});
for (const greeting of greetings) {
  const socket = connect({ port: Number(port), host: '127.0.0.1', ca: readFileSync(String(ca)), servername: 'localhost' });
  await new Promise((resolve) => socket.once('secureConnect', resolve));
  await echoed(socket, Buffer.from(greeting, 'hex'));
  await pieces(socket, PIECES_BEFORE);
  await waitForGo({ greeted: greeting });
  await pieces(socket, PIECES_AFTER);
  socket.destroy();
}
say({ done: true, beforeBytes: PIECES_BEFORE * PIECE_BYTES, afterBytes: PIECES_AFTER * PIECE_BYTES });
leave();
