// Bytes delivered: downloads of 1, 10 and 100 MB over HTTP/1.1 and HTTP/2, and uploads in SSL_write calls of 64 KiB. What the
// tracer reports for the body beside what the service sent or received, the loss it admits, and the time with and without it.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Child } from './child.mjs';
import { at, compileClient, scratchDir, TRACER } from './place.mjs';

const MB = 1_000_000;
const WRITE_BYTES = 65_536;

/** @typedef {{ what: string, bytes: number, deliveredBytes: number, lostBytes: number, bareMs: number, tracedMs: number, recording: string, recordingBytes: number }} Delivery */
/** @typedef {{ what: string, bytes: number, side: 'request' | 'response', start: () => Child }} Case */

/** @param {any} place of the service @param {string} compiledUpload @returns {Case[]} */
const cases = (place, compiledUpload) => {
  const ends = ['--port', String(place.port), '--ca', place.ca, '--workload', 'download'];
  const sizes = [MB, 10 * MB, 100 * MB];
  const downloads = [
    ['node-https', 'HTTP/1.1'],
    ['node-http2', 'HTTP/2'],
  ].flatMap(([client, version]) =>
    sizes.map((bytes) => ({
      what: `${version} download`,
      bytes,
      side: /** @type {const} */ ('response'),
      start: () =>
        new Child(process.execPath, [at(`test/kit/clients/${client}.mjs`), ...ends], { KIT_BYTES: String(bytes) }),
    })),
  );
  const uploads = sizes.map((bytes) => ({
    what: 'upload, 64 KiB writes',
    bytes,
    side: /** @type {const} */ ('request'),
    start: () => new Child(compiledUpload, [String(place.port), place.ca, String(bytes), String(WRITE_BYTES)]),
  }));
  return [...downloads, ...uploads];
};

/** From the word to go to the client's end of work. @param {Child} client */
const timed = async (client) => {
  const begin = performance.now();
  client.say('go');
  await client.next('done');
  return performance.now() - begin;
};

/** @param {Case} one */
const bareMs = async (one) => {
  const client = one.start();
  await client.next('ready');
  const ms = await timed(client);
  await client.ended;
  return ms;
};

/** @param {Case} one @returns {Promise<Delivery>} */
const deliver = async (one) => {
  const bare = await bareMs(one);
  const recording = join(scratchDir, `${one.what.replace(/\W+/g, '-')}-${one.bytes}.trc`);
  const client = one.start();
  await client.next('ready');
  const tracer = new Child(TRACER, ['attach', '--json', '--pid', String(client.pid), '--record', recording]);
  await tracer.attached();
  const tracedMs = await timed(client);
  let call;
  do call = await tracer.next('type');
  while (call.type !== 'call');
  const { lost } = await tracer.next('counters');
  await tracer.ended;
  const body = call[one.side];
  return {
    what: one.what,
    bytes: one.bytes,
    deliveredBytes: body.bytes - (body.lostBytes ?? 0),
    lostBytes: lost.out + lost.in,
    bareMs: bare,
    tracedMs,
    recording,
    recordingBytes: statSync(recording).size,
  };
};

/** @returns {Promise<Delivery[]>} */
export async function deliveries() {
  const service = new Child(process.execPath, [at('test/kit/service.mjs')]);
  const place = await service.next('port');
  const results = [];
  for (const one of cases(place, compileClient('upload'))) results.push(await deliver(one));
  await service.stop();
  return results;
}
