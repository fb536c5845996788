// A session full of unique secrets, one for every position in which one can travel. A test of an output asserts that not six
// characters in a row of any of them come out.
import { gzipSync } from 'node:zlib';
import type { CaptureRecord } from '../../src/model/index.ts';
import { http2Bytes } from './http2-bytes.ts';
import { Script, type ScriptedConnection } from './records.ts';
import { chatEvents, http1Request, http1Response, recordingOf } from './session-file.ts';
import { frame } from './websocket.ts';

/** Where it is, and the secret characters. */
export type Canary = readonly [position: string, secret: string];

const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';

/** Unique per call and the same in every run (a linear congruential generator, Numerical Recipes). */
class Canaries {
  readonly all: Canary[] = [];
  #state = 0x1234_5678;

  secret(position: string, length = 36): string {
    let text = '';
    for (let i = 0; i < length; i++) {
      this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
      text += ALPHABET[(this.#state >>> 16) % ALPHABET.length];
    }
    // A digit and capital letters in every one of them.
    const secret = `${text.slice(0, length - 3)}Q7z`;
    this.all.push([position, secret]);
    return secret;
  }

  /** A token that is known by its shape. */
  token(position: string): string {
    return `ghp_${this.secret(position)}`;
  }

  /** The text in which the canary is visible differs from the secret itself. */
  encoded(position: string, text: string): void {
    this.all.push([position, text]);
  }
}

const JSON_TYPE = 'Content-Type: application/json';
const SSE = 'Content-Type: text/event-stream';
const CAPI = 'api.githubcopilot.com';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const escaped = (text: string): string =>
  [...text].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

/** Data one byte per record, `count` of them, then the rest. */
function trickle(connection: ScriptedConnection, dir: 'out' | 'in', bytes: Uint8Array, count: number): void {
  for (let at = 0; at < Math.min(count, bytes.length); at++) connection.data(dir, bytes.subarray(at, at + 1));
  if (bytes.length > count) connection.data(dir, bytes.subarray(count));
}

const chunked = (text: string, size: number): string => {
  const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
  return `${pieces.map((piece) => `${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`).join('')}0\r\n\r\n`;
};

const pieces = (text: string, size: number): string[] => text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];

function heads(script: Script, canaries: Canaries): void {
  const basic = base64(`user:${canaries.secret('basic credentials')}`);
  canaries.encoded('basic credentials in base64', basic.slice(8).replace(/=+$/, ''));
  const copilot = canaries.secret('Copilot token');
  const requests = [
    [
      `GET /a?access_token=${canaries.secret('query')}&sig=${canaries.secret('signature in a query')}`,
      [`Authorization: Basic ${basic}`],
    ],
    [
      'GET /b',
      [`Authorization: Bearer tid=${copilot};exp=1772373909;sku=free:${canaries.secret('MAC of a Copilot token')}`],
    ],
    [
      'GET /c',
      [
        `Authorization: token ${canaries.token('OAuth token')}`,
        `Cookie: user_session=${canaries.secret('cookie')}; dark=1`,
      ],
    ],
    [
      'GET /d',
      [
        `X-Api-Key: ${canaries.secret('key field')}`,
        `Copilot-Session-Token: eyJhbGciOiJIUzI1NiJ9.${canaries.secret('session token')}.x`,
      ],
    ],
    [
      `GET /e?q=${encodeURIComponent(`"${canaries.token('percent-encoded query')}"`)}`,
      [`X-Note: see ${canaries.token('free text field')}`],
    ],
    [`GET /f/${canaries.token('path')}`, [`Referer: https://me:${canaries.secret('user information')}@${CAPI}/`]],
  ] as const;
  const connection = script.connection({ ssl: 1n }).sni(CAPI);
  for (const [line, headers] of requests) {
    trickle(connection, 'out', http1Request(line, CAPI, headers), 60);
    const answer = [
      `Set-Cookie: sid=${canaries.secret('set-cookie')}; Path=/`,
      `Location: https://x.test/?code=${canaries.secret('location')}`,
    ];
    connection.in(http1Response('302 Found', answer));
  }
  connection.close();
}

const chat = (content: string): string =>
  JSON.stringify({ model: 'gpt-4.1', stream: true, messages: [{ role: 'user', content }] });

function bodies(script: Script, canaries: Canaries): void {
  const connection = script.connection({ ssl: 2n }).sni(CAPI);
  const call = (body: string, answer: Uint8Array): void => {
    connection.out(http1Request('POST /chat/completions', CAPI, [JSON_TYPE], body));
    connection.in(answer);
  };
  const events = (...texts: readonly string[]): Buffer => http1Response('200 OK', [SSE], chatEvents(texts));
  call(
    chat(`key ${canaries.token('prompt')}, password = "${canaries.secret('assignment in a prompt')}"`),
    events('ok'),
  );
  call(chat('x').replace('"x"', `"${escaped(`ghp_${canaries.secret('JSON escapes')}`)}"`), events('ok'));
  const encoded = base64(`x-access-token:${canaries.token('base64 in a prompt')}`);
  canaries.encoded('base64 text of it', encoded.slice(24).replace(/=+$/, ''));
  call(chat(`header: ${encoded}`), events('ok'));
  call(
    chat(`-----BEGIN RSA PRIVATE KEY-----\n${canaries.secret('private key', 64)}\n-----END RSA PRIVATE KEY-----`),
    events('ok'),
  );
  call(chat('hi'), events(...pieces(`it is ${canaries.token('answer split over deltas')} then`, 3)));
  call(chat('hi'), events('Bea', 'rer ', ...pieces(canaries.secret('scheme and value in different deltas'), 7)));
  const tools = [
    { role: 'tool', tool_call_id: 't', content: `AWS_SECRET_ACCESS_KEY=${canaries.secret('tool result', 40)}` },
  ];
  call(JSON.stringify({ model: 'gpt-4.1', messages: tools }), events('ok'));
  const zipped = gzipSync(chatEvents([`zip ${canaries.token('gzip')}`]));
  call(chat('hi'), http1Response('200 OK', [SSE, 'Content-Encoding: gzip'], zipped));
  const text = chatEvents([`chunks ${canaries.token('chunks')}`]);
  call(chat('hi'), Buffer.from(`HTTP/1.1 200 OK\r\n${SSE}\r\nTransfer-Encoding: chunked\r\n\r\n${chunked(text, 5)}`));
  const error = { error: { code: 'invalid', message: `bad key sk-proj-${canaries.secret('error message', 48)}` } };
  call(chat('hi'), http1Response('401 Unauthorized', [JSON_TYPE], JSON.stringify(error)));
  connection.close();
}

function tokens(script: Script, canaries: Canaries): void {
  const connection = script.connection({ ssl: 3n }).sni('api.github.com');
  const body = { token: `tid=${canaries.secret('token endpoint')};exp=1;sku=free:aa`, expires_at: 1, refresh_in: 1 };
  connection.out(
    http1Request('GET /copilot_internal/v2/token', 'api.github.com', [
      `Authorization: token ${canaries.token('token call')}`,
    ]),
  );
  connection.in(http1Response('200 OK', [JSON_TYPE], JSON.stringify(body))).close();
  const login = script.connection({ ssl: 4n }).sni('github.com');
  const form = `client_id=x&device_code=${canaries.token('form')}&client_secret=${canaries.secret('form field')}`;
  login.out(
    http1Request(
      'POST /login/oauth/access_token',
      'github.com',
      ['Content-Type: application/x-www-form-urlencoded'],
      form,
    ),
  );
  login
    .in(
      http1Response('200 OK', [JSON_TYPE], JSON.stringify({ access_token: `gho_${canaries.secret('OAuth answer')}` })),
    )
    .close();
}

function socket(script: Script, canaries: Canaries): void {
  const connection = script.connection({ ssl: 5n }).sni(CAPI);
  const upgrade = [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ];
  connection.out(http1Request('GET /responses', CAPI, upgrade));
  connection.in(
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n',
  );
  const input = [
    { role: 'user', content: [{ type: 'input_text', text: `see ${canaries.token('WebSocket fragments')}` }] },
  ];
  const message = JSON.stringify({ type: 'response.create', model: 'gpt-5', input });
  const cut = message.indexOf('ghp_') + 12;
  connection.out(frame(1, message.slice(0, cut), { mask: true, fin: false }));
  connection.out(frame(0, message.slice(cut), { mask: true }));
  const answer = `found ${canaries.token('WebSocket deltas')} there`;
  for (const delta of pieces(answer, 5))
    connection.in(
      frame(
        1,
        JSON.stringify({ type: 'response.output_text.delta', output_index: 0, content_index: 0, item_id: 'i', delta }),
      ),
    );
  const done = {
    type: 'response.completed',
    response: {
      id: 'r',
      model: 'gpt-5',
      status: 'completed',
      output: [{ type: 'message', id: 'i', role: 'assistant', content: [{ type: 'output_text', text: answer }] }],
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  };
  connection.in(frame(1, JSON.stringify(done))).close();
}

async function streams(script: Script, canaries: Canaries): Promise<void> {
  const connection = script.connection({ ssl: 6n }).sni(CAPI);
  const answer = chatEvents(pieces(`and ${canaries.token('HTTP/2 DATA frames')} too`, 4));
  const wire = await http2Bytes([
    {
      request: {
        ':method': 'POST',
        ':path': `/chat/completions?key=${canaries.secret('HTTP/2 path')}`,
        ':authority': CAPI,
        authorization: `Bearer ${canaries.token('HPACK field')}`,
        cookie: `a=${canaries.secret('HPACK cookie')}`,
        'content-type': 'application/json',
      },
      body: chat(`my ${canaries.token('HTTP/2 prompt')}`),
      response: {
        ':status': 200,
        'content-type': 'text/event-stream',
        'copilot-edits-session': canaries.secret('HPACK response field'),
      },
      answer: pieces(answer, 17),
    },
    {
      request: {
        ':method': 'GET',
        ':path': '/models',
        ':authority': CAPI,
        authorization: `Bearer ${canaries.token('HPACK indexed field')}`,
      },
      response: { ':status': 200, 'content-type': 'application/json', 'content-encoding': 'gzip' },
      answer: [gzipSync(JSON.stringify({ data: [{ id: 'm', name: `n ${canaries.token('gzip over HTTP/2')}` }] }))],
    },
  ]);
  for (const { dir, bytes } of wire) connection.data(dir, bytes);
  connection.close();
}

function damage(script: Script, canaries: Canaries): void {
  const connection = script.connection({ ssl: 7n }).sni(CAPI);
  connection.out(
    `NONSENSE ${canaries.token('no protocol')}\r\nAuthorization: Bearer ${canaries.secret('unknown protocol')}\r\n\r\n`,
  );
  connection
    .lose('out', 100)
    .out(`{"password":"${canaries.secret('behind a hole')}"}`)
    .close();
  const cut = script.connection({ ssl: 8n }).sni(CAPI);
  const request = http1Request(
    'POST /chat/completions',
    CAPI,
    [JSON_TYPE],
    chat(`cut ${canaries.token('cut body')} end`),
  );
  cut.out(request.subarray(0, request.length - 4)).close('progress');
}

/** What only some outputs say at all: names of tools and models, negotiated facts, parts of heads that are hardly ever used. */
function corners(script: Script, canaries: Canaries): void {
  const ask = (line: string, host: string, fields: readonly string[], answer: Uint8Array | string, body = ''): void => {
    const connection = script.connection({ ssl: BigInt(20 + canaries.all.length) }).sni(CAPI);
    connection.facts({ alpn: canaries.token(`ALPN of ${line}`) });
    connection
      .out(http1Request(line, host, fields, body))
      .in(answer)
      .close();
  };
  const ok = http1Response('200 OK', []);
  const user = (position: string): string => {
    const secret = canaries.secret(position);
    // Hosts are shown in lower case.
    canaries.encoded(`${position}, in lower case`, secret.toLowerCase());
    return `me:${secret}@${CAPI}`;
  };
  ask('GET /a', user('user information in Host'), [], ok);
  ask(`CONNECT ${user('user information of CONNECT')}:443`, CAPI, [], ok);
  ask(`GET /b?user%5Bpassword%5D=${canaries.secret('nested parameter')}`, CAPI, [], ok);
  ask('GET /c', CAPI, [`Sec-WebSocket-Protocol: v1, bearer.${canaries.secret('subprotocol')}`], ok);
  ask('GET /d', CAPI, [`X-Passphrase: ${canaries.secret('passphrase field')}`], ok);
  ask('GET /e', CAPI, [], http1Response(`401 No ${canaries.token('reason phrase')}`, []));
  const form = `code=${canaries.secret('first field of a form')}&client_id=x`;
  ask('POST /login/oauth/access_token', 'github.com', ['Content-Type: application/x-www-form-urlencoded'], ok, form);
  let nested = `password="${canaries.secret('JSON inside JSON')}"`;
  for (let level = 0; level < 5; level++) nested = JSON.stringify({ a: nested });
  const request = (tool: string) =>
    JSON.stringify({
      model: 'gpt-4.1',
      messages: [{ role: 'user', content: nested }],
      tools: [{ type: 'function', function: { name: tool, parameters: {} } }],
    });
  // A tool that is new breaks the cache, and is named as the cause.
  for (const position of ['name of a tool', 'name of another tool'])
    ask(
      'POST /chat/completions',
      CAPI,
      [JSON_TYPE],
      http1Response('200 OK', [SSE], chatEvents(['ok'])),
      request(canaries.token(position)),
    );
}

export interface CanarySession {
  readonly recording: Uint8Array;
  readonly records: readonly CaptureRecord[];
  readonly canaries: readonly Canary[];
}

export async function canarySession(): Promise<CanarySession> {
  const canaries = new Canaries();
  const script = new Script();
  const args = [
    'code',
    `--token=${canaries.secret('argument')}`,
    '--api-key',
    canaries.secret('argument behind an option'),
  ];
  heads(script, canaries);
  bodies(script, canaries);
  tokens(script, canaries);
  socket(script, canaries);
  await streams(script, canaries);
  damage(script, canaries);
  corners(script, canaries);
  return { recording: recordingOf(script.records, { args }), records: script.records, canaries: canaries.all };
}

/** Positions whose secret has six characters in a row in `output`. */
export const leaksIn = (output: string, canaries: readonly Canary[]): string[] =>
  canaries
    .filter(([, secret]) =>
      Array.from({ length: secret.length - 5 }, (_, at) => secret.slice(at, at + 6)).some((piece) =>
        output.includes(piece),
      ),
    )
    .map(([position]) => position);
