// Node's https and http2 in words that Node 14 knows, too: a body each way over either. old-node PORT CA_FILE
const { readFileSync } = require('fs');
const http2 = require('http2');
const https = require('https');

const [port, caFile] = process.argv.slice(2);
const ca = readFileSync(caFile);
const body = Buffer.alloc(1500000, 'old node ');
const BODY_HEADERS = { 'content-type': 'application/octet-stream', 'content-length': body.length };

const overHttps = () =>
  new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, ca, path: '/kit/mirror?v=1', method: 'POST', headers: BODY_HEADERS };
    const request = https.request(options, (response) => response.resume().on('end', resolve));
    request.on('error', reject);
    request.end(body);
  });

const overHttp2 = () =>
  new Promise((resolve, reject) => {
    const session = http2.connect(`https://127.0.0.1:${port}`, { ca });
    session.on('error', reject);
    const stream = session.request({ ':method': 'POST', ':path': '/kit/mirror?v=2', ...BODY_HEADERS });
    stream.on('close', () => session.close(resolve));
    stream.resume();
    stream.end(body);
  });

process.stdout.write(`${JSON.stringify({ ready: true, pid: process.pid })}\n`);
process.stdin.once('data', async () => {
  await overHttps();
  await overHttp2();
  process.stdout.write('{"done":true}\n');
  process.exit(0);
});
