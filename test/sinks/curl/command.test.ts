// The command, run by a shell against a server: what arrives is what was recorded.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { curl } from '../../../src/app/index.ts';
import { exchange, recordingFile, scratch } from '../../kit/recording.ts';

const SECRET = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6'}`;
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const settings = { reveal: false, key: new Uint8Array(32), log: silent, stop: new AbortController().signal };

interface Arrived {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}
const arrived: Arrived[] = [];
const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const { method, url, headers } = request;
    arrived.push({ method, url, headers, body: Buffer.concat(parts).toString() });
    response.end();
  });
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
afterAll(() => server.close());

/** Takes one request as it comes: the server above refuses control characters. */
async function rawServer() {
  const parts: Buffer[] = [];
  const listener = createTcpServer((socket) => {
    socket.on('data', (part) => {
      parts.push(part);
      const [head = '', body] = Buffer.concat(parts).toString('latin1').split('\r\n\r\n');
      const lenBytes = Number(/^content-length: (\d+)/im.exec(head)?.[1]);
      if (body?.length === lenBytes) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address() as AddressInfo;
  return { port: address.port, received: () => Buffer.concat(parts).toString(), close: () => listener.close() };
}

const scriptOf = async (what: Parameters<typeof exchange>[1], host = `127.0.0.1:${port}`): Promise<string> => {
  const path = recordingFile((script) => {
    const connection = script.connection();
    exchange(connection, { ...what, host });
    connection.close();
  });
  const { lines } = await curl(path, 'c1.1', settings);
  return lines.join('\n');
};

function run(script: string, env: Record<string, string>) {
  const path = scratch('again.sh');
  writeFileSync(path, script.replace('https://', 'http://'));
  return promisify(execFile)('sh', [path], { env: { PATH: process.env['PATH'], ...env } });
}

describe('a call as a command', () => {
  test('sends the same request, however it is quoted', async () => {
    const body = JSON.stringify({ text: `it's "quoted" $HOME \`id\` \\n %s ${'é'.repeat(100_000)}` });
    const script = await scriptOf({
      path: "/a?b='c'&d=$e",
      request: body,
      headers: "X-Odd: it's $PATH\r\nX-Empty:\r\n",
    });
    await run(script, {});
    expect(arrived.at(-1)).toMatchObject({
      method: 'POST',
      url: "/a?b='c'&d=$e",
      headers: { 'x-odd': "it's $PATH", 'x-empty': '', 'content-type': 'application/json' },
      body,
    });
  });

  test('shows no control characters, and sends the same bytes', async () => {
    const path = '/a\u001b]0;x\u0007?b=\u009bé';
    const odd = "\u001b[2J\u0007 it's\u009b é\u007f$x";
    const body = `a\u001b[31m\u0007\0b\n\t\u009b2J\u202ex%s\\n\u007f it's`;
    const raw = await rawServer();
    const host = `127.0.0.1:${raw.port}`;
    const script = await scriptOf({ path, request: body, headers: `X-Odd: ${odd}\r\n` }, host);
    expect(script).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
    await run(script, {});
    raw.close();
    const [head = '', sent] = raw.received().split('\r\n\r\n');
    expect(head.split('\r\n')).toEqual(expect.arrayContaining([`POST ${path} HTTP/1.1`, `x-odd: ${odd}`]));
    expect(sent).toBe(body);
  });

  test('has variables where secrets were, and does nothing until they are set', async () => {
    const request = JSON.stringify({ key: SECRET, again: SECRET });
    const script = await scriptOf({
      request,
      headers: `Authorization: Bearer ${SECRET}\r\n`,
      path: `/x?access_token=${SECRET}`,
    });
    expect(script).not.toContain(SECRET);
    const names = [...script.matchAll(/^: "\$\{(\w+):\?/gm)].map((match) => match[1] ?? '');
    const before = arrived.length;
    await expect(run(script, {})).rejects.toThrow('set it to');
    expect(arrived.length).toBe(before);
    await run(script, Object.fromEntries(names.map((name) => [name, SECRET])));
    expect(arrived.at(-1)).toMatchObject({
      url: `/x?access_token=${SECRET}`,
      headers: { authorization: `Bearer ${SECRET}` },
      body: request,
    });
  });

  test('that there is not is E_RECORDING_NO_CALL', async () => {
    const path = recordingFile((script) => {
      script.connection().out('x').close();
    });
    await expect(curl(path, 'c9.9', settings)).rejects.toMatchObject({ code: 'E_RECORDING_NO_CALL', exitCode: 44 });
  });
});
