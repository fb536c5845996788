// The same recorded connections decoded by tshark and by the engine: same header lists, same bodies. The recordings are real
// ones (test/kit/captures/record.mjs made them); tshark shares no code with the engine.
import { beforeAll, describe, expect, it } from 'vitest';
import { loadBrotli } from '../kit/brotli.ts';
import { readCaptures } from '../kit/captures.ts';
import { type HeardExchange, type HeardMessage, hearEngine, hearMessages } from '../kit/heard.ts';
import { hasTshark, hearTshark, hearTsharkMessages } from '../kit/tshark.ts';

const captures = readCaptures();

it('has at least fifty captures of both versions', () => {
  expect(captures.filter(({ isHttp2 }) => isHttp2).length).toBeGreaterThanOrEqual(30);
  expect(captures.filter(({ isHttp2 }) => !isHttp2).length).toBeGreaterThanOrEqual(20);
});

/** Where tshark is known to fail, with the reason: there the engine must still agree with all that tshark tells. */
const BEYOND_TSHARK = new Map([
  ['nghttp-table-twice', 'tshark 4.0 takes the last of several table sizes in one SETTINGS frame for the only one'],
]);

/** What tshark could not tell, filled in from the engine. */
const completed = (heard: readonly HeardExchange[], ours: readonly HeardExchange[]): HeardExchange[] =>
  heard.map(({ request, informational, response }, at) => ({
    request: { ...request, head: request.head ?? ours[at]?.request.head ?? null },
    informational,
    response: { ...response, head: response.head ?? ours[at]?.response.head ?? null },
  }));

describe.skipIf(!hasTshark())('tshark and the engine agree on', () => {
  let heard: HeardExchange[][] = [];
  beforeAll(async () => {
    await loadBrotli();
    heard = hearTshark(captures);
  });

  it.each(captures.map(({ name }, at) => [name, at] as const))('%s', (name, at) => {
    const exchanges = hearEngine(captures[at]!.segments);
    expect(exchanges.length).toBeGreaterThan(0);
    const theirs = heard[at]!;
    if (BEYOND_TSHARK.has(name)) expect(exchanges).not.toEqual(theirs);
    expect(exchanges).toEqual(BEYOND_TSHARK.has(name) ? completed(theirs, exchanges) : theirs);
  });
});

/** Real clients and servers, each with its own masking, fragments, and context of compression. */
const sockets = captures.filter(({ name }) => name.startsWith('websocket-'));

describe.skipIf(!hasTshark())('tshark and the engine agree on the messages of', () => {
  let heard: HeardMessage[][] = [];
  beforeAll(() => {
    heard = hearTsharkMessages(sockets);
  });

  it.each(sockets.map(({ name }, at) => [name, at] as const))('%s', (_, at) => {
    const messages = hearMessages(sockets[at]!.segments);
    expect(new Set(messages.map(({ side, isText }) => `${side} ${isText}`)).size).toBeGreaterThanOrEqual(3);
    expect(messages).toEqual(heard[at]);
  });
});
