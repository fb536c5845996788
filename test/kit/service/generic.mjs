// Endpoints without any meaning, for byte-exact comparison: uploads, downloads, event streams cut anywhere, codings, slow
// streams, trailers, early hints, push. All under /kit/; sizes and seeds are in the query.
import { setTimeout as sleep } from 'node:timers/promises';
import { cutRandomly, seededBytes, seededText } from './bytes.mjs';
import { digestOf } from './reply.mjs';

/** @typedef {import('./routes.mjs').Visit} Visit */

const PIECE_BYTES = 64 * 1024;

/** @param {URLSearchParams} query @param {string} name @param {number} fallback */
const number = (query, name, fallback) => Number(query.get(name) ?? fallback);

/** Says what arrived. @param {Visit} visit */
const echo = async ({ reply, body, bodyTruth }) => {
  const { bytes, sha256 } = bodyTruth;
  await reply.json(200, { received: { bytes, sha256 }, first: body.subarray(0, 16).toString('hex') });
};

/** Sends the request's body back. @param {Visit} visit */
const mirror = async ({ reply, body }) => {
  reply.head(200, { 'content-type': 'application/octet-stream' });
  await reply.end(body);
};

/** @param {Visit} visit */
const bytes = async ({ reply, query }) => {
  const all = seededBytes(number(query, 'seed', 1), number(query, 'n', 1024));
  const headers = { 'content-type': 'application/octet-stream' };
  reply.head(200, query.has('chunked') ? headers : { ...headers, 'content-length': String(all.length) });
  const piece = number(query, 'piece', PIECE_BYTES);
  for (let at = 0; at < all.length; at += piece) await reply.write(all.subarray(at, at + piece));
  await reply.end();
};

/** Compressible text in the coding asked for. @param {Visit} visit */
const text = async ({ reply, query }) => {
  const coding = query.get('coding') ?? '';
  const headers = { 'content-type': 'text/plain; charset=utf-8' };
  reply.head(200, coding ? { ...headers, 'content-encoding': coding } : headers);
  const all = Buffer.from(seededText(number(query, 'seed', 1), number(query, 'n', 1024)));
  for (let at = 0; at < all.length; at += PIECE_BYTES) await reply.write(all.subarray(at, at + PIECE_BYTES));
  await reply.end();
};

/** `n` events whose text is cut without regard to lines or characters. @param {Visit} visit */
const sse = async ({ reply, query }) => {
  const seed = number(query, 'seed', 1);
  const data = Array.from({ length: number(query, 'n', 10) }, (_, i) => seededText(seed + i, 20));
  reply.sse = { events: data.length, sha256: digestOf(Buffer.from(data.join('\n'))).sha256 };
  const coding = query.get('coding') ?? '';
  const headers = { 'content-type': 'text/event-stream' };
  reply.head(200, coding ? { ...headers, 'content-encoding': coding } : headers);
  const events = data.map((line, i) => `id: ${i}\ndata: ${line}\n\n`).join('');
  for (const piece of cutRandomly(Buffer.from(events), seed, 64)) await reply.write(piece);
  await reply.end();
};

/** `n` pieces with a pause before each. @param {Visit} visit */
const slow = async ({ reply, query }) => {
  reply.head(200, { 'content-type': 'application/octet-stream' });
  const size = number(query, 'piece', 1024);
  for (let i = 0; i < number(query, 'n', 10) && !reply.raw.destroyed; i++) {
    await sleep(number(query, 'gap', 20));
    await reply.write(seededBytes(i + 1, size));
  }
  await reply.end();
};

/** Answers that wait for /kit/release. @type {Set<() => void>} */
const held = new Set();

/** The first half of `n` bytes, the second only after a request for /kit/release. @param {Visit} visit */
const hold = async ({ reply, query }) => {
  const all = seededBytes(number(query, 'seed', 1), number(query, 'n', 1024));
  reply.head(200, { 'content-type': 'application/octet-stream' });
  await reply.write(all.subarray(0, all.length / 2));
  await new Promise((resolve) => {
    held.add(() => resolve(undefined));
    reply.raw.once('close', () => resolve(undefined));
  });
  await reply.end(all.subarray(all.length / 2));
};

/** @param {Visit} visit */
const release = async ({ reply }) => {
  for (const go of held) go();
  held.clear();
  await reply.json(200, {});
};

/** @param {Visit} visit */
const trailers = async ({ reply }) => {
  reply.head(200, { 'content-type': 'text/plain', trailer: 'x-kit-sum' });
  await reply.end(Buffer.from('body before trailers'), { 'x-kit-sum': '20' });
};

/** @param {Visit} visit */
const hints = async ({ reply }) => {
  reply.raw.writeEarlyHints({ link: '</kit/style.css>; rel=preload; as=style' });
  await reply.json(200, { hinted: true });
};

/** Pushes one resource on HTTP/2; HTTP/1.1 has no such thing. @param {Visit} visit */
const push = async ({ reply }) => {
  const { raw } = reply;
  if ('createPushResponse' in raw && raw.stream.pushAllowed) {
    await new Promise((resolve) => {
      raw.createPushResponse({ ':path': '/kit/pushed' }, (error, pushed) => {
        if (!error) pushed.end('pushed body');
        resolve(error);
      });
    });
  }
  await reply.json(200, { pushed: 'createPushResponse' in raw });
};

/** A page that loads two resources, for browsers. @param {Visit} visit */
const page = async ({ reply }) => {
  reply.head(200, { 'content-type': 'text/html; charset=utf-8' });
  const script =
    "fetch('/kit/bytes?n=300000&seed=5').then(r => r.arrayBuffer()).then(b => { document.title = 'got ' + b.byteLength; document.body.textContent = document.title; })";
  await reply.end(
    Buffer.from(`<!doctype html><title>stand-in page</title><body>waiting<script>${script}</script></body>`),
  );
};

/** @type {readonly import('./routes.mjs').Route[]} */
export const GENERIC_ROUTES = [
  { path: /^\/kit\/echo$/, answer: echo },
  { path: /^\/kit\/mirror$/, answer: mirror },
  { path: /^\/kit\/bytes$/, answer: bytes },
  { path: /^\/kit\/text$/, answer: text },
  { path: /^\/kit\/sse$/, answer: sse },
  { path: /^\/kit\/slow$/, answer: slow },
  { path: /^\/kit\/hold$/, answer: hold },
  { path: /^\/kit\/release$/, answer: release },
  { path: /^\/kit\/trailers$/, answer: trailers },
  { path: /^\/kit\/hints$/, answer: hints },
  { path: /^\/kit\/push$/, answer: push },
  { path: /^\/kit\/page$/, answer: page },
];
