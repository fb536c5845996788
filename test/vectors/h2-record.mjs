// Records test/vectors/h2.json: real HTTP/2 connections in plaintext through a loopback relay. Needs curl, nghttp and
// nghttpd (Debian: curl, nghttp2-client, nghttp2-server). Run: node test/vectors/h2-record.mjs
//
// One entry a connection: {name, segments: [[dir, base64], …]} in the order in which the relay saw them.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http2 from 'node:http2';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** A client's own complaint is no failure of the recording. */
const exec = (...args) => run(...args).catch((error) => console.error(error.message));
const recorded = [];

async function record(name, targetPort, act) {
  const segments = [];
  const server = net.createServer((client) => {
    const upstream = net.connect(targetPort, '127.0.0.1');
    client.on('data', (b) => { segments.push(['out', b.toString('base64')]); upstream.write(b); });
    upstream.on('data', (b) => { segments.push(['in', b.toString('base64')]); client.write(b); });
    client.on('close', () => upstream.destroy()).on('error', () => {});
    upstream.on('close', () => client.destroy()).on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  await act(server.address().port);
  await sleep(50);
  server.close();
  recorded.push({ name, segments });
}

const text = (n) => Array.from({ length: n }, (_, i) => `data: {"n":${i},"delta":"tok${i * 7919 % 1000} "}\n\n`).join('');

function serve(settings) {
  const server = http2.createServer({ settings });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    const path = headers[':path'] ?? '';
    let got = 0;
    stream.on('data', (b) => { got += b.length; });
    const answer = () => {
      if (stream.destroyed) return;
      if (path.startsWith('/hint')) stream.additionalHeaders({ ':status': 103, link: '</a.css>; rel=preload' });
      if (path.startsWith('/push') && stream.pushAllowed) {
        stream.pushStream({ ':path': `${path}.css` }, (e, pushed) => {
          if (e) return;
          pushed.respond({ ':status': 200, 'content-type': 'text/css' });
          pushed.end('body{}');
        });
      }
      if (path.startsWith('/missing')) { stream.respond({ ':status': 418, 'x-tea': 'pot' }, { endStream: true }); return; }
      if (path.startsWith('/hang')) { stream.respond({ ':status': 200 }); stream.write('part'); return; }
      const head = { ':status': 200, 'content-type': 'text/event-stream', 'x-request-id': `id-${path.length}-${got}`, 'x-got': `${got}`,
        'x-quota-snapshot': 'ent=300&ov=0.0&rem=99.5', server: 'stand-in' };
      stream.respond(head, { waitForTrailers: path.startsWith('/trailers') });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0', 'x-sum': `${got}` }));
      stream.end(text(Number(/\d+/.exec(path)?.[0] ?? 5)));
    };
    if (headers[':method'] === 'GET') answer(); else stream.on('end', answer);
  });
  return server;
}

async function nodeClient(port, settings, paths) {
  const client = http2.connect(`http://127.0.0.1:${port}`, { settings });
  client.on('stream', (pushed) => pushed.resume());
  const one = (path, i) => new Promise((done) => {
    const post = i % 3 === 1;
    const stream = client.request({ ':path': path, ':method': post ? 'POST' : 'GET', authorization: 'Bearer stand-in', 'user-agent': 'GitHubCopilotChat/0.1',
      'x-interaction-id': `interaction-${i >> 2}`, 'x-initiator': i % 2 ? 'agent' : 'user', 'editor-version': 'vscode/1.100' });
    stream.on('error', () => {}).on('close', done).on('data', () => { if (path.startsWith('/hang')) stream.close(8); });
    if (post) { stream.write(`{"messages":[{"content":"${'x'.repeat(i * 40)}`); stream.end('"}]}'); } else stream.end();
  });
  for (let i = 0; i < paths.length; i += 4) await Promise.all(paths.slice(i, i + 4).map((p, k) => one(p, i + k)));
  client.close();
  await once(client, 'close');
}

const PATHS = ['/a/3', '/post/9', '/hint/2', '/trailers/4', '/push/1', '/post/30', '/missing', '/hang', '/a/3', '/post/9', '/q/12?x=1', '/q/12?x=2',
  '/trailers/1', '/post/2', '/a/3', '/a/3', '/missing', '/post/60', '/hint/2', '/a/3', '/a/8', '/post/1', '/push/2', '/a/3'];

const node = serve({});
node.listen(0, '127.0.0.1');
await once(node, 'listening');
const nodePort = node.address().port;
await record('node-node', nodePort, (port) => nodeClient(port, {}, PATHS));
await record('node-small-table', nodePort, (port) => nodeClient(port, { headerTableSize: 200 }, PATHS.slice(0, 12)));
await record('curl-node', nodePort, (port) => exec('curl', ['-s', '--http2-prior-knowledge', '-o', '/dev/null', `http://127.0.0.1:${port}/a/30`]));
await record('curl-node-post', nodePort, (port) => exec('curl', ['-s', '--http2-prior-knowledge', '-d', `{"a":"${'b'.repeat(3000)}"}`, '-H', 'content-type: application/json', `http://127.0.0.1:${port}/post/5`]));
await record('nghttp-node', nodePort, (port) => exec('nghttp', ['-n', '-m', '3', '--hexdump', '--no-dep', `http://127.0.0.1:${port}/a/4`, `http://127.0.0.1:${port}/push/2`, `http://127.0.0.1:${port}/trailers/2`, '-H', 'x-one: two'].filter((a) => a !== '--hexdump')));
const small = serve({ headerTableSize: 0 });
small.listen(0, '127.0.0.1');
await once(small, 'listening');
await record('node-no-table', small.address().port, (port) => nodeClient(port, { headerTableSize: 65536 }, PATHS.slice(0, 12)));

const root = mkdtempSync(join(tmpdir(), 'h2-'));
writeFileSync(join(root, 'index.html'), '<link rel=stylesheet href=a.css>' + 'lorem ipsum '.repeat(200));
writeFileSync(join(root, 'a.css'), 'body{}');
const nghttpd = spawn('nghttpd', ['--no-tls', '-a', '127.0.0.1', '-d', root, '-p', '/index.html=/a.css', '-c', '256', '--trailer', 'x-end: 1', '18459']);
await sleep(500);
await record('nghttp-nghttpd', 18459, (port) => exec('nghttp', ['-n', '-a', '-c', '1024', '-b', '32', `http://127.0.0.1:${port}/index.html`, `http://127.0.0.1:${port}/none`, '--trailer', 'x-t: 2', '-d', join(root, 'index.html')]));
await record('curl-nghttpd', 18459, (port) => exec('curl', ['-s', '--http2-prior-knowledge', '-o', '/dev/null', `http://127.0.0.1:${port}/index.html`]));
nghttpd.kill();
node.close();
small.close();
rmSync(root, { recursive: true });
writeFileSync(new URL('h2.json', import.meta.url), `[\n${recorded.map((r) => JSON.stringify(r)).join(',\n')}\n]\n`);
for (const { name, segments } of recorded) console.log(name, segments.length, segments.reduce((n, [, b]) => n + (b.length * 3) / 4, 0));
process.exit(0);
