// Responses over a WebSocket: one `response.create` message in, the Responses events as bare JSON messages out. Each turn is
// one line of the truth log.
import { responsesEvents } from './answers.mjs';
import { scripted } from './copilot.mjs';
import { Digest, digestOf } from './reply.mjs';
import { acceptUpgrade, WebSocketPeer } from './websocket.mjs';

const QUOTA = {
  premium_interactions: { entitlement: '300', percent_remaining: 83.5, overage_permitted: false, overage_count: 0 },
};

/** @param {string} text @param {WebSocketPeer} peer */
const answer = async (text, peer) => {
  const { model, tools, input } = JSON.parse(text);
  const asksTool = Boolean(tools?.length) && input.at(-1).type !== 'function_call_output';
  const { events, expect } = responsesEvents(scripted(model, asksTool, { tool: 'completed', end: 'completed' }));
  const sent = new Digest();
  for (const event of events) {
    const value = event.type === 'response.completed' ? { ...event, copilot_quota_snapshots: QUOTA } : event;
    const json = JSON.stringify(value);
    sent.update(Buffer.from(json));
    await peer.send(json);
  }
  return { messages: events.length, ...sent.done(), expect: { class: 'chat.responses.ws', llm: expect } };
};

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:stream').Duplex} socket
 * @param {(line: object) => void} log
 */
export function serveResponsesSocket(request, socket, log) {
  const { compress } = acceptUpgrade(request, socket);
  const onMessage = async (/** @type {string} */ text, /** @type {WebSocketPeer} */ peer) => {
    const { expect, messages, ...response } = await answer(text, peer);
    log({
      kind: 'websocket',
      path: request.url,
      headers: request.rawHeaders,
      compress,
      request: digestOf(Buffer.from(text)),
      response,
      messages,
      expect,
    });
  };
  new WebSocketPeer(socket, { compress, onMessage });
}
