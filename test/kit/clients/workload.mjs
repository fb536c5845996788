// What the generic clients ask for, by name: the same requests over every HTTP library. A request is a plain value; the
// client's own part is only how it is sent.
import { gzipSync } from 'node:zlib';
import { seededBytes, seededText } from '../service/bytes.mjs';

const FIVE_MB = 5_000_000;
const STREAMS = 200;

/** @typedef {{ method: string, path: string, headers?: Record<string, string>, body?: Buffer, isBackground?: boolean }} Request */

/** @param {string} path @returns {Request} */
const get = (path) => ({ method: 'GET', path });

/** @param {string} path @param {Buffer} body @param {Record<string, string>} [headers] @returns {Request} */
const post = (path, body, headers = {}) => ({
  method: 'POST',
  path,
  body,
  headers: { 'content-type': 'application/octet-stream', ...headers },
});

/** @type {Record<string, () => { requests: Request[], parallel: number }>} */
export const WORKLOADS = {
  one: () => ({ requests: [get('/kit/bytes?n=100')], parallel: 1 }),
  bodies: () => ({
    requests: [
      post('/kit/echo', seededBytes(11, FIVE_MB)),
      get(`/kit/bytes?n=${FIVE_MB}&seed=12`),
      post('/kit/mirror', seededBytes(13, FIVE_MB)),
    ],
    parallel: 1,
  }),
  codings: () => ({
    requests: [
      get('/kit/text?n=400000&coding=gzip'),
      get('/kit/text?n=400000&coding=br'),
      get('/kit/text?n=400000&coding=deflate'),
      post('/kit/echo', gzipSync(seededText(3, 300_000)), { 'content-encoding': 'gzip' }),
      get('/kit/sse?n=50&coding=gzip'),
    ],
    parallel: 1,
  }),
  parallel: () => ({
    requests: Array.from({ length: STREAMS }, (_, i) =>
      i % 4 === 3
        ? post(`/kit/mirror?i=${i}`, seededBytes(i + 1, 6000 + i))
        : get(`/kit/bytes?n=${20_000 + i}&seed=${i + 1}`),
    ),
    parallel: STREAMS,
  }),
  sse: () => ({ requests: [get('/kit/sse?n=2000&seed=7')], parallel: 1 }),
  odd: () => ({
    requests: [
      get('/kit/trailers'),
      get('/kit/hints'),
      get('/kit/slow?n=5&gap=5'),
      get('/kit/bytes?n=70000&piece=3000&chunked=1'),
      get('/kit/none'),
    ],
    parallel: 1,
  }),
  held: () => ({ requests: [get('/kit/hold?n=300000')], parallel: 1 }),
  many: () => ({
    requests: Array.from({ length: 60 }, (_, i) => get(`/kit/bytes?n=200000&seed=${i + 1}`)),
    parallel: 6,
  }),
  download: () => ({
    requests: [
      get(`/kit/bytes?n=${process.env.KIT_BYTES ?? FIVE_MB}&seed=21&piece=${process.env.KIT_PIECE ?? 65_536}`),
    ],
    parallel: 1,
  }),
};
WORKLOADS.all = () => ({
  requests: ['bodies', 'codings', 'sse', 'odd'].flatMap((name) => WORKLOADS[name]().requests),
  parallel: 1,
});

/**
 * Sends all with at most `parallel` in flight; answers in the order of the requests.
 * @template T
 * @param {{ requests: Request[], parallel: number }} workload
 * @param {(request: Request) => Promise<T>} send
 * @returns {Promise<T[]>}
 */
export async function runWorkload({ requests, parallel }, send) {
  /** @type {T[]} */
  const results = new Array(requests.length);
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < requests.length; i = next++) results[i] = await send(requests[i]);
  };
  await Promise.all(Array.from({ length: Math.min(parallel, requests.length) }, worker));
  return results;
}
