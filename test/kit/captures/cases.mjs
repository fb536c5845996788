// What is recorded: a row is a client and what it does with an origin. Each connection that it makes becomes a capture.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { seededText } from '../service/bytes.mjs';
import { byHand, nextSettings, nodeHttp1, nodeHttp2, times, undici, undiciSocket, zippedPost } from './node-clients.mjs';
import { SOCKET_MODES, WEBSOCKET } from './origins.mjs';

/** @typedef {{ name: string, origin: string, alpn?: string, run: (port: number, folder: string) => Promise<void> }} Case */

/** Ends with the program; what it prints is not of interest. @param {string} command @param {string[]} args @returns {Promise<void>} */
const program = (command, args) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'ignore', timeout: 30_000 });
    child.on('error', reject);
    child.on('close', () => resolve());
  });

const FORM = ['-F', 'field=value', '-F', 'file=@/etc/hostname;type=application/octet-stream;filename=a.bin'];
const POST = ['-H', 'Content-Type: application/json', '-d', JSON.stringify({ text: seededText(4, 600) })];

/** @param {string} name @param {string} origin @param {string[]} args @param {string[]} [paths] @returns {Case} */
const curl = (name, origin, args, paths = ['/text']) => ({
  name: `curl-${name}`,
  origin,
  run: (port) => program('curl', ['-sN', ...args, ...paths.map((path) => `http://127.0.0.1:${port}${path}`)]),
});

/** Over TLS: with prior knowledge curl 7.88 fails to use a connection again. @param {string} name @param {string} origin @param {string[]} args @param {string[]} [paths] @returns {Case} */
const curlHttp2 = (name, origin, args, paths = ['/text']) => ({
  name: `curl-h2-${name}`,
  origin,
  alpn: 'h2',
  run: (port) => program('curl', ['-skN', '--http2', ...args, ...paths.map((path) => `https://127.0.0.1:${port}${path}`)]),
});

const MANY = times(30, (at) => ({ path: `/text?n=${400 + at * 40}&seed=${at + 1}` })).map(({ path }) => path);

/** @type {readonly Case[]} */
const CURL = [
  curl('h1-text', 'node1', []),
  curl('h1-codings', 'node1', ['--compressed'], ['/gzip', '/deflate', '/br']),
  curl('h1-chunked', 'node1', [], ['/pieces']),
  curl('h1-trailers', 'node1', ['-H', 'TE: trailers'], ['/trailers']),
  curl('h1-hints', 'node1', [], ['/hints']),
  curl('h1-head', 'node1', ['-I'], ['/text', '/text?n=50']),
  curl('h1-no-body', 'node1', [], ['/none', '/unchanged', '/missing']),
  curl('h1-post', 'node1', POST, ['/echo', '/echo?again']),
  curl('h1-expect', 'node1', ['-H', 'Expect: 100-continue', ...POST], ['/echo']),
  curl('h1-chunked-post', 'node1', ['-H', 'Transfer-Encoding: chunked', ...POST], ['/echo']),
  curl('h1-form', 'node1', FORM, ['/echo']),
  curl('h1-version-0', 'node1', ['-0'], ['/text']),
  curl('h1-version-0-chunked', 'node1', ['-0'], ['/pieces']),
  curl('h1-keep-alive', 'node1', [], MANY.slice(0, 8)),
  curl('h1-sse', 'node1', [], ['/sse']),
  curl('h1-cookies', 'node1', ['-b', 'one=1; two=2'], ['/cookies']),
  curl('h1-big-fields', 'node1', ['-H', `X-Long: ${'v'.repeat(6000)}`], ['/big-fields']),
  curl('h1-nginx', 'nginx1', ['--compressed'], ['/index.html', '/text.txt', '/small.json', '/absent']),
  curl('h1-nginx-range', 'nginx1', ['-r', '10-99'], ['/text.txt', '/style.css']),
  curl('h1-nginx-proxy', 'nginx1', [], ['/to/pieces', '/to/text', '/to/sse']),
  curlHttp2('text', 'node2', []),
  curlHttp2('codings', 'node2', ['--compressed'], ['/gzip', '/deflate', '/br']),
  curlHttp2('parallel', 'node2', ['-Z', '--parallel-max', '30'], MANY),
  curlHttp2('hints', 'node2', [], ['/hints']),
  curlHttp2('trailers', 'node2', [], ['/trailers']),
  curlHttp2('post', 'node2', [...POST], ['/echo', '/echo?again']),
  curlHttp2('head', 'node2', ['-I'], ['/text', '/gzip']),
  curlHttp2('no-body', 'node2', [], ['/none', '/unchanged', '/missing']),
  curlHttp2('big-fields', 'node2', ['-H', `X-Long: ${'v'.repeat(30_000)}`], ['/big-fields', '/text']),
  curlHttp2('reset', 'node2', [], ['/reset', '/text?n=10']),
  curlHttp2('sse', 'node2', [], ['/sse']),
  curlHttp2('grpc', 'node2', ['-H', 'TE: trailers', '-H', 'Content-Type: application/grpc', '-d', 'x'], [
    '/grpc.Echo/Say',
    '/grpc.Echo/Fail',
  ]),
  curlHttp2('nginx', 'nginx2', ['--compressed'], ['/index.html', '/text.txt', '/small.json', '/absent']),
  curlHttp2('nginx-proxy', 'nginx2', [], ['/to/pieces', '/to/gzip', '/to/sse']),
  curlHttp2('nghttpx', 'nghttpx', [], ['/text', '/trailers', '/pieces', '/hints']),
  curlHttp2('nghttpx-post', 'nghttpx', [...POST], ['/echo']),
  curl('upgrade-nghttpx', 'nghttpx', ['--http2'], ['/text?n=80']),
  curl('h1-nghttpx', 'nghttpx', [], ['/text', '/gzip']),
];

/** @param {string} name @param {string} origin @param {string[]} args @param {string[]} paths @returns {Case} */
const nghttp = (name, origin, args, paths) => ({
  name: `nghttp-${name}`,
  origin,
  run: (port) => program('nghttp', ['-n', ...args, ...paths.map((path) => `http://127.0.0.1:${port}${path}`)]),
});

/** @type {readonly Case[]} */
const NGHTTP = [
  nghttp('push', 'nghttpd', [], ['/index.html', '/small.json']),
  nghttp('push-nginx', 'nginx2', [], ['/index.html']),
  nghttp('padding', 'nghttpd-padded', ['-b', '200'], ['/text.txt', '/small.json']),
  nghttp('continuation', 'nghttpd', ['--continuation'], ['/index.html', '/small.json']),
  nghttp('table-0', 'nghttpd', ['-c', '0', '--encoder-header-table-size=0'], ['/index.html', '/small.json', '/absent']),
  nghttp('table-twice', 'nghttpd', ['-c', '128', '-c', '8192'], ['/index.html', '/small.json', '/absent']),
  nghttp('trailers', 'nghttpd-trailers', ['--trailer', 'x-sum: 1', '-d', '/etc/hostname'], ['/small.json']),
  nghttp('upgrade', 'nghttpx', ['-u'], ['/text?n=80', '/gzip']),
  nghttp('many', 'nghttpd', ['-m', '200'], ['/style.css']),
  nghttp('assets', 'nghttpd', ['-a', '--no-push'], ['/index.html']),
  {
    name: 'h2load-200',
    origin: 'node2',
    run: (port) => program('h2load', ['-n', '200', '-c', '1', '-m', '200', `http://127.0.0.1:${port}/text?n=150`]),
  },
];

const ECHO = { path: '/echo', method: 'POST', headers: { 'content-type': 'text/plain' }, body: seededText(7, 3000) };

/** @param {string} name @param {(port: number) => Promise<void>} run @returns {Case} */
const node2 = (name, run) => ({ name: `node-h2-${name}`, origin: 'node2', run });

/** @type {readonly Case[]} */
const NODE = [
  node2('200-streams', (port) =>
    nodeHttp2(port, times(200, (at) => ({ path: `/text?n=${100 + at}&seed=${at + 1}` })), { parallel: true }),
  ),
  node2('push', (port) => nodeHttp2(port, [{ path: '/push' }, { path: '/text?n=5' }])),
  node2('trailers', (port) =>
    nodeHttp2(port, [{ path: '/trailers' }, { ...ECHO, trailers: { 'x-sum': '12', 'x-more': 'yes' } }]),
  ),
  node2('cancel', (port) => nodeHttp2(port, [{ path: '/pieces', cancelAfter: 1 }, { path: '/text?n=20' }])),
  node2('server-reset', (port) => nodeHttp2(port, [{ path: '/reset' }, ECHO, { path: '/hints' }])),
  node2('zipped', (port) => nodeHttp2(port, [zippedPost('/echo'), { path: '/gzip' }, { path: '/br' }])),
  node2('big-fields', (port) =>
    nodeHttp2(port, [{ path: '/big-fields', headers: { 'x-long': 'w'.repeat(40_000) } }, { path: '/cookies' }]),
  ),
  node2('padded', (port) => nodeHttp2(port, [ECHO, { path: '/text' }], { padding: 1 })),
  node2('table-sizes', (port) =>
    nodeHttp2(port, times(8, (at) => ({ path: `/cookies?${at}`, headers: { 'x-n': String(at % 3) } })), {
      between: nextSettings([{ headerTableSize: 0 }, { headerTableSize: 200 }, { headerTableSize: 65_536 }]),
    }),
  ),
  node2('grpc', (port) =>
    nodeHttp2(
      port,
      times(4, (at) => ({
        path: at % 2 === 0 ? '/grpc.Echo/Say' : '/grpc.Echo/Fail',
        method: 'POST',
        headers: { 'content-type': 'application/grpc+proto', te: 'trailers' },
        body: Buffer.from([0, 0, 0, 0, 2, 8, at]),
      })),
    ),
  ),
  {
    name: 'node-h1-keep-alive',
    origin: 'node1',
    run: (port) => nodeHttp1(port, [{ path: '/text' }, ECHO, { path: '/pieces' }, { path: '/none' }, zippedPost('/echo')]),
  },
  {
    name: 'node-h1-trailers',
    origin: 'node1',
    run: (port) =>
      nodeHttp1(port, [{ ...ECHO, headers: { trailer: 'x-sum' }, trailers: { 'x-sum': '12' } }, { path: '/trailers' }]),
  },
  {
    name: 'hand-h1-pipelined',
    origin: 'node1',
    run: (port) =>
      byHand(port, [
        'GET /text?n=60 HTTP/1.1\r\nHost: h\r\n\r\nPOST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhelloGET /pie',
        'ces?count=3 HTTP/1.1\r\nHost: h\r\n\r\nGET /none HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n',
      ]),
  },
  {
    name: 'hand-h1-chunk-extensions',
    origin: 'node1',
    run: (port) =>
      byHand(port, [
        'POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n5;a=b\r\nhel',
        'lo\r\n6;c="d;e"\r\n world\r\n0\r\nX-After: yes\r\n\r\n',
      ]),
  },
  {
    name: 'undici-h1-pipelined',
    origin: 'node1',
    run: (port) => undici(port, times(9, (at) => ({ path: `/text?n=${90 + at}&seed=${at + 1}` })), { isHttp2: false }),
  },
  {
    name: 'undici-h2',
    origin: 'node2',
    alpn: 'h2',
    run: (port) =>
      undici(port, [...times(12, (at) => ({ path: `/text?n=${90 + at}` })), ECHO, { path: '/gzip' }], { isHttp2: true }),
  },
];

/** @param {string} scheme @param {number} port @param {string} folder */
const chromium = (scheme, port, folder) =>
  program('chromium', [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--ignore-certificate-errors',
    '--no-proxy-server',
    '--virtual-time-budget=4000',
    `--user-data-dir=${join(folder, `chromium-${scheme}-${port}`)}`,
    '--dump-dom',
    `${scheme}://127.0.0.1:${port}/page`,
  ]);

/** @type {readonly Case[]} */
const CHROMIUM = [
  { name: 'chromium-h2', origin: 'node2', alpn: 'h2', run: (port, folder) => chromium('https', port, folder) },
  { name: 'chromium-h1', origin: 'node1', run: (port, folder) => chromium('http', port, folder) },
];

/** @param {string} mode @returns {Case} */
const socket = (mode) => ({
  name: `websocket-python-${mode}`,
  origin: `socket-${mode}`,
  run: (port) => program('/usr/bin/python3', [WEBSOCKET, 'talk', String(port), mode]),
});

/** Context takeover, none, small windows, no compression; and another client. @type {readonly Case[]} */
const WEBSOCKETS = [
  ...SOCKET_MODES.map(socket),
  { name: 'websocket-undici', origin: 'socket-takeover', run: (port) => undiciSocket(port) },
];

export const CASES = [...CURL, ...NGHTTP, ...NODE, ...CHROMIUM, ...WEBSOCKETS];
