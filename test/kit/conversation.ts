// A Copilot-like conversation over one HTTP/2 connection, recorded in plaintext at test time: the scripted client's chat calls
// in three wire formats, plain, gzip and brotli, and calls that are no chat, against the stand-in's endpoints.
import { connect, createServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { startRelay } from './captures/relay.mjs';
import { BOOT, CHAT, EDITING, HOSTS } from './clients/copilot-script.mjs';
import type { Segment } from './pcap.ts';
import { digestOf, Reply } from './service/reply.mjs';
import { findRoute } from './service/routes.mjs';

interface Asked {
  readonly host: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

async function answer(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const body = Buffer.concat(parts);
  const url = new URL(request.url, 'https://stand-in.invalid');
  const found = findRoute(request.method, url.pathname);
  const reply = new Reply(response);
  const { bytes, sha256 } = digestOf(body);
  const bodyTruth = { bytes, sha256, decodedBytes: bytes, decodedSha256: sha256, coding: '' };
  const visit = { method: request.method, host: HOSTS.api, query: url.searchParams, body, bodyTruth, reply };
  if (found === undefined) await reply.json(404, {});
  else await found.route.answer({ ...visit, match: found.match });
}

const isAtApi = ({ host }: Asked): boolean => host === HOSTS.api;

/** What both sides said, in order; `calls` is how many exchanges that were. */
export async function recordConversation(): Promise<{ segments: readonly Segment[]; calls: number }> {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const relay = await startRelay(typeof address === 'object' && address !== null ? address.port : 0);
  const session = connect(`http://127.0.0.1:${relay.port}`);
  // Twice: what was said first is in the header table when it is said again.
  const asked = [...BOOT, ...CHAT, ...EDITING, ...CHAT].filter(isAtApi) as Asked[];
  for (const one of asked) await ask(session, one);
  await new Promise<void>((resolve) => session.close(() => resolve()));
  server.close();
  relay.close();
  return { segments: relay.connections[0] ?? [], calls: asked.length };
}

function ask(session: ReturnType<typeof connect>, { host, method, path, headers, body }: Asked): Promise<void> {
  return new Promise((resolve, reject) => {
    const head = { ':method': method, ':path': path, ':authority': host, ':scheme': 'https', ...headers };
    const stream = session.request(head, { endStream: body === undefined });
    stream.on('error', reject).on('end', resolve).resume();
    if (body !== undefined) stream.end(body);
  });
}
