import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KitProcess } from './process.ts';
import { type Service, startService } from './service.ts';
import type { ExchangeTruth } from './truth.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Node's fetch in a process of its own, trusting the service's certificate. Prints status, coding and body in base64. */
const fetchOnce = async (path: string, init: object = {}): Promise<{ status: number; body: Buffer }> => {
  const script = `fetch('https://127.0.0.1:${service.port}${path}', ${JSON.stringify(init)}).then(async (r) =>
    console.log(JSON.stringify({ fetched: true, status: r.status, body: Buffer.from(await r.arrayBuffer()).toString('base64') })))`;
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: service.ca };
  await using child = new KitProcess(process.execPath, ['-e', script], { env });
  const { status, body } = await child.json<{ status: number; body: string }>('fetched');
  return { status, body: Buffer.from(body, 'base64') };
};

const truthOf = async (path: string): Promise<ExchangeTruth> => {
  for (let count = 1; ; count++) {
    const found = (await service.exchanges(count)).find((line) => line.path === path);
    if (found) return found;
  }
};

test('the truth log has the hash of exactly the body that a client received', async () => {
  const { body } = await fetchOnce('/kit/bytes?n=100000&seed=4');
  const truth = await truthOf('/kit/bytes?n=100000&seed=4');
  expect(body.length).toBe(100_000);
  expect(truth.response).toMatchObject({
    bytes: 100_000,
    sha256: sha256(body),
    decodedSha256: sha256(body),
    coding: '',
  });
});

test('the truth log has the hash of exactly the body that a client sent', async () => {
  const { body } = await fetchOnce('/kit/echo', { method: 'POST', body: 'héllo' });
  const received = { bytes: 6, sha256: sha256(Buffer.from('héllo')) };
  expect(JSON.parse(body.toString()).received).toEqual(received);
  expect((await truthOf('/kit/echo')).request).toMatchObject(received);
});

test.each(['gzip', 'br', 'deflate'])('a %s body is smaller on the wire and whole after decoding', async (coding) => {
  const path = `/kit/text?n=50000&coding=${coding}`;
  const { body } = await fetchOnce(path);
  const { response } = await truthOf(path);
  expect(response.coding).toBe(coding);
  expect(response.bytes).toBeLessThan(20_000);
  expect({ bytes: response.decodedBytes, sha256: response.decodedSha256 }).toEqual({
    bytes: body.length,
    sha256: sha256(body),
  });
});

test('the same seed gives the same bytes and another seed gives others', async () => {
  const [one, again, other] = await Promise.all(
    ['5', '5', '6'].map((seed) => fetchOnce(`/kit/bytes?n=64&seed=${seed}`)),
  );
  expect(one!.body).toEqual(again!.body);
  expect(one!.body).not.toEqual(other!.body);
});

test('an event stream has the number of events that was asked for', async () => {
  const { body } = await fetchOnce('/kit/sse?n=300&seed=2');
  expect(body.toString().match(/^data: /gm)).toHaveLength(300);
});

test('an unknown path is answered with 404 and logged', async () => {
  expect((await fetchOnce('/nothing/here')).status).toBe(404);
  expect((await truthOf('/nothing/here')).status).toBe(404);
});
