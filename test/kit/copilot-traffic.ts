// Copilot-like traffic for tests of what is asked about recordings: calls scripted over HTTP/1.1, recorded as if captured.
// The service is a stand-in; paths, headers and bodies follow the published ones, contents are invented.

import type { Script, ScriptedConnection } from './records.ts';
import { http1Request, http1Response } from './session-file.ts';

export const API = 'api.individual.githubcopilot.com';
export const PROXY = 'proxy.individual.githubcopilot.com';

export interface ChatTurn {
  readonly messages: readonly object[];
  readonly tools?: readonly object[];
  readonly model?: string;
  readonly requestId?: string;
  readonly initiator?: 'user' | 'agent';
  readonly usage?: { readonly input: number; readonly cached?: number; readonly output?: number };
  readonly answer?: string;
  readonly toolCalls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly more?: object;
}

export const system = (content: string): object => ({ role: 'system', content });
export const user = (content: string, more: object = {}): object => ({ role: 'user', content, ...more });
export const assistant = (content: string, calls: ChatTurn['toolCalls'] = []): object => ({
  role: 'assistant',
  content,
  ...(calls.length > 0 && {
    tool_calls: calls.map((call) => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
    })),
  }),
});
export const result = (id: string, content: string): object => ({ role: 'tool', tool_call_id: id, content });
export const tool = (name: string, description = 'does it'): object => ({
  type: 'function',
  function: { name, description, parameters: { type: 'object', properties: {} } },
});

const sse = (values: readonly object[]): string =>
  `${values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join('')}data: [DONE]\n\n`;

/** A call on a connection of the script. */
export class Traffic {
  readonly #script: Script;
  readonly #connections = new Map<string, ScriptedConnection>();

  constructor(script: Script) {
    this.#script = script;
  }

  #to(host: string): ScriptedConnection {
    const known = this.#connections.get(host);
    if (known !== undefined) return known;
    const fresh = this.#script.connection({ ssl: BigInt(0xa0 + this.#connections.size) }).sni(host);
    this.#connections.set(host, fresh);
    return fresh;
  }

  /** The library tells what the host's connection negotiated. */
  facts(host: string, facts: Parameters<ScriptedConnection['facts']>[0] = {}): this {
    this.#to(host).facts(facts);
    return this;
  }

  /** Moves the clock. */
  wait(ms: number): this {
    this.#script.nowNs += BigInt(ms) * 1_000_000n;
    return this;
  }

  exchange(host: string, line: string, headers: readonly string[], body: string, answer: Buffer): this {
    const connection = this.#to(host);
    connection.out(http1Request(line, host, headers, body));
    this.wait(200);
    connection.in(answer);
    this.wait(50);
    return this;
  }

  json(host: string, line: string, body: object | null, answer: object): this {
    const text = body === null ? '' : JSON.stringify(body);
    const type = body === null ? [] : ['Content-Type: application/json'];
    return this.exchange(
      host,
      line,
      type,
      text,
      http1Response('200 OK', ['Content-Type: application/json'], JSON.stringify(answer)),
    );
  }

  chat(turn: ChatTurn): this {
    const { messages, tools = [], model = 'gpt-4.1', usage, answer = 'Done.', toolCalls = [], more = {} } = turn;
    const body = { model, messages, ...(tools.length > 0 && { tools }), stream: true, temperature: 0, ...more };
    const chunk = (delta: object, finish: string | null) => ({
      id: 'r',
      model,
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
    const calls = toolCalls.map((call, index) => ({
      index,
      id: call.id,
      function: { name: call.name, arguments: call.arguments },
    }));
    const events = [
      chunk({ content: answer }, null),
      ...(calls.length > 0 ? [chunk({ tool_calls: calls }, null)] : []),
      chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
      ...(usage === undefined
        ? []
        : [
            {
              choices: [],
              usage: {
                prompt_tokens: usage.input,
                completion_tokens: usage.output ?? 10,
                prompt_tokens_details: { cached_tokens: usage.cached ?? 0 },
              },
            },
          ]),
    ];
    const headers = [
      'Content-Type: application/json',
      'OpenAI-Intent: conversation-agent',
      `X-Initiator: ${turn.initiator ?? 'user'}`,
      'Editor-Plugin-Version: copilot-chat/0.42.0',
      ...(turn.requestId === undefined ? [] : [`X-Request-Id: ${turn.requestId}`]),
    ];
    return this.exchange(
      API,
      'POST /chat/completions',
      headers,
      JSON.stringify(body),
      http1Response('200 OK', ['Content-Type: text/event-stream'], sse(events)),
    );
  }

  completion(body: object, answer = 'return 42;'): this {
    const headers = ['Content-Type: application/json', 'OpenAI-Intent: copilot-ghost'];
    const events = sse([{ choices: [{ index: 0, text: answer, finish_reason: 'stop' }] }]);
    return this.exchange(
      PROXY,
      'POST /v1/engines/gpt-41-copilot/completions',
      headers,
      JSON.stringify(body),
      http1Response('200 OK', ['Content-Type: text/event-stream'], events),
    );
  }

  close(): void {
    for (const connection of this.#connections.values()) connection.close();
  }
}

/** A recent-edits block as the completions client renders it, for one edit of `path`. */
export const recentEdits = (path: string, lines: readonly string[]): string =>
  [
    'These are recently edited files. Do not suggest code that has been deleted.',
    `File: ${path}`,
    `--- a/file:///home/u/app/${path}`,
    `+++ b/file:///home/u/app/${path}`,
    '@@ -3,2 +3,3 @@',
    ...lines,
    'End of recent edits',
  ].join('\n');
