// Bun's fetch, whose TLS is BoringSSL without symbols: bodies both ways and an event stream. Certificates are not checked.
import { seededBytes } from '../service/bytes.mjs';
import { leave, say, waitForGo } from './go.mjs';

const origin = `https://127.0.0.1:${process.argv[2]}`;
const REQUESTS = [
  { method: 'POST', path: '/kit/mirror', body: seededBytes(31, 2_000_000) },
  { method: 'GET', path: '/kit/bytes?n=2000000&seed=32' },
  { method: 'GET', path: '/kit/sse?n=300&seed=33' },
];

await waitForGo();
for (const { method, path, body } of REQUESTS) {
  const response = await fetch(origin + path, {
    method,
    ...(body && { body, headers: { 'content-type': 'application/octet-stream' } }),
    tls: { rejectUnauthorized: false },
  });
  await response.arrayBuffer();
}
say({ done: true });
leave();
