import { expect, it } from 'vitest';
import { rulePath, viewOf } from '../../src/copilot/view.ts';
import type { HeaderField } from '../../src/model/index.ts';

it.each([
  ['/models?x=1#y', '/models'],
  ['//v1//messages', '/v1/messages'],
  ['/api/v3/copilot_internal/user', '/copilot_internal/user'],
  ['/api/v3x/y', '/api/v3x/y'],
  ['https://h.example:1/a?b', '/a'],
  ['', ''],
])('sees path %j as %j', (path, seen) => {
  expect(rulePath(path)).toBe(seen);
});

const head = (authority: string | null, headers: readonly HeaderField[] = []) =>
  ({ httpVersion: '1.1', method: 'GET', scheme: null, authority, path: '/', headers, unknown: [] }) as const;

it('takes the host from the authority before the TLS server name', () => {
  expect(viewOf({ head: head('a.example'), sni: 'b.example' }).host).toBe('a.example');
  expect(viewOf({ head: head(null), sni: 'b.example' }).host).toBe('b.example');
  expect(viewOf({ head: null, sni: undefined })).toMatchObject({
    host: null,
    path: null,
    method: null,
    role: 'unknown',
  });
});

it.each<[HeaderField]>([
  [['openai-intent', 'x']],
  [['copilot-integration-id', 'vscode-chat']],
  [['editor-plugin-version', 'copilot-chat/1']],
  [['user-agent', 'GitHubCopilotChat/1']],
])("sees Copilot's mark in %j", (field) => {
  expect(viewOf({ head: head('a.example', [field]), sni: undefined }).marked).toBe(true);
  expect(viewOf({ head: head('example.com', [['user-agent', 'curl']]), sni: undefined }).marked).toBe(false);
});

it('sees that a WebSocket is asked for', () => {
  expect(viewOf({ head: head('a', [['upgrade', 'WebSocket']]), sni: undefined }).socket).toBe(true);
  expect(viewOf({ head: head('a', [['sec-websocket-version', '13']]), sni: undefined }).socket).toBe(true);
  expect(viewOf({ head: head('a', [['upgrade', 'h2c']]), sni: undefined }).socket).toBe(false);
});
