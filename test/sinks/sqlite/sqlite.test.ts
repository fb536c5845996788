import { statSync } from 'node:fs';
import sqlite from 'node-sqlite3-wasm';
import { expect, test } from 'vitest';
import { exportRecordings } from '../../../src/app/index.ts';
import { exchange, recordingFile, scratch } from '../../kit/recording.ts';

const SECRET = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6'}`;
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

async function databaseOf(path = scratch('a.db')): Promise<InstanceType<typeof sqlite.Database>> {
  const file = recordingFile((script) => {
    const connection = script.connection().sni('api.githubcopilot.com').facts({ alpn: 'http/1.1' });
    const call = { id: 't1', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } };
    exchange(connection, {
      headers: `Authorization: Bearer ${SECRET}\r\n`,
      request: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }),
      response: JSON.stringify({
        id: 'r',
        model: 'm',
        choices: [
          {
            index: 0,
            finish_reason: 'stop',
            message: { role: 'assistant', content: `see ${SECRET}`, tool_calls: [call] },
          },
        ],
        usage: { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 },
      }),
    });
    connection.lose('in', 5).close();
  });
  await exportRecordings({
    files: [file],
    targets: new Map([['sqlite', path]]),
    content: false,
    reveal: false,
    key: new Uint8Array(32),
    log: silent,
    stop: new AbortController().signal,
  });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  return new sqlite.Database(path, { readOnly: true });
}

test('calls, tools, headers, connections and losses can be asked for in SQL', async () => {
  const db = await databaseOf();
  expect(db.get('select id, connection, class, model, input_tokens, status, conversation, turn from calls')).toEqual({
    id: 'c1.1',
    connection: 'c1',
    class: 'chat.completions',
    model: 'm',
    input_tokens: 10,
    status: 200,
    conversation: 1,
    turn: '1.1',
  });
  expect(db.get('select name, arguments from tool_calls')).toEqual({ name: 'read_file', arguments: '{"path":"a"}' });
  expect(db.get('select tls_version, tls_cipher, alpn from connections')).toEqual({
    tls_version: '1.3',
    tls_cipher: 'TLS_AES_128_GCM_SHA256',
    alpn: 'http/1.1',
  });
  expect(db.get('select sni, lost_in_bytes, opened < closed or opened = closed as ordered from connections')).toEqual({
    sni: 'api.githubcopilot.com',
    lost_in_bytes: 5,
    ordered: 1,
  });
  expect(db.get('select bytes, dir from losses')).toEqual({ bytes: 5, dir: 'in' });
  expect(db.get('select calls, input, output from usage_by_model')).toEqual({ calls: 1, input: 10, output: 3 });
  expect(db.get(`select json_extract(event, '$.llm.finishReason') as why from calls`)).toEqual({ why: 'stop' });
  db.close();
});

test('no secret is in it', async () => {
  const path = scratch('b.db');
  const db = await databaseOf(path);
  const rows = db.all('select event, answer from calls').concat(db.all('select value from headers'));
  expect(JSON.stringify(rows)).not.toContain(SECRET);
  expect(db.get("select value from headers where name = 'authorization'")).toMatchObject({
    value: expect.stringMatching(/^Bearer <github-token #[0-9a-f]{8}>$/),
  });
  db.close();
});

test('a file that was there is replaced', async () => {
  const path = scratch('c.db');
  (await databaseOf(path)).close();
  const db = await databaseOf(path);
  expect(db.get('select count(*) as n from calls')).toEqual({ n: 1 });
  db.close();
});

test('a full disk is E_EXPORT_FULL', async () => {
  await expect(databaseOf('/dev/full')).rejects.toMatchObject({ code: 'E_EXPORT_FULL', exitCode: 32 });
});
