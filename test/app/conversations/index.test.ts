process.env.TZ = 'UTC';

import { expect, test } from 'vitest';
import { type Answer, conversations, show } from '../../../src/app/index.ts';
import { exchange, recordingFile } from '../../kit/recording.ts';

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const plain = { reveal: false, key: new Uint8Array(32), log, stop: new AbortController().signal, explain: false };
const view = { columns: null, color: false };
const textOf = ({ text }: Answer): string => [...text].join('\n');

const hostile = recordingFile((script) => {
  const connection = script.connection();
  const request = JSON.stringify({
    model: 'm\u001b]0;x\u0007',
    messages: [{ role: 'user', content: 'q\u001b[2J\u202e' }],
  });
  const message = {
    role: 'assistant',
    content: '\u001b[31mred',
    tool_calls: [{ id: '1', function: { name: 'f\u0007', arguments: '\u009b' } }],
  };
  exchange(connection, {
    request,
    response: JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] }),
    headers: 'X: y\u0001\r\nOpenAI-Intent: conversation-panel\r\nX-Initiator: user\r\n',
  });
  connection.close();
});

test('nothing captured steers the terminal, whatever is shown', async () => {
  const answers = [
    await conversations(hostile, plain, view),
    await show(hostile, { ...plain, what: undefined }, view),
    await show(hostile, { ...plain, what: '1.1' }, view),
    await show(hostile, { ...plain, what: 'c1.1', explain: true }, view),
  ];
  const texts = answers.map(textOf);
  for (const text of texts) {
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(text).not.toBe('');
  }
  expect(texts[1]).toContain('q␛[2J<U+202E>');
});

const session = new URL('../../sessions/auto-router/session.trc', import.meta.url).pathname;

test('one turn, one conversation and one call can be asked for', async () => {
  const one = textOf(await show(session, { ...plain, what: '1.2' }, view));
  expect(one).toMatch(/^Turn 1\.2 {2}/);
  expect(one).not.toContain('Turn 1.1');
  const whole = textOf(await show(session, { ...plain, what: '1' }, view));
  expect(whole).toMatch(/^Conversation 1: agent\.turn, 2 turns, 2 rounds, gpt-5\.4, then gpt-4\.1\n/);
  const call = textOf(await show(session, { ...plain, what: 'c1.3' }, view));
  expect(call).toContain('"facts": "router"');
  expect(call).toContain('named by   router.intent: host capi');
  const [json] = [...(await show(session, { ...plain, what: 'c1.3' }, view)).json];
  expect(json).toMatchObject({ type: 'call', id: 'c1.3', service: { label: 'needs_reasoning' } });
});

test('what is not there is an error of use', async () => {
  await expect(show(session, { ...plain, what: '7' }, view)).rejects.toThrow(
    'there is no conversation 7 in this recording',
  );
  await expect(show(session, { ...plain, what: 'c9.9' }, view)).rejects.toThrow(
    'there is no call c9.9 in this recording',
  );
});

test('--explain puts the rule below each round', async () => {
  const text = textOf(await show(session, { ...plain, what: '1.1', explain: true }, view));
  expect(text).toMatch(/named by {3}chat\.responses: host capi, path .* kind agent\.turn: .* \(confidence high\)/);
});

test('the list of a conversation or a turn holds its calls alone', async () => {
  const idsOf = async (what: string | undefined) =>
    ([...(await show(session, { ...plain, what, list: true }, view)).json] as { call: string; turn?: string }[]).map(
      ({ call, turn }) => [call, turn],
    );
  const all = await idsOf(undefined);
  expect(await idsOf('1.2')).toEqual(all.filter(([, turn]) => turn === '1.2'));
  expect(await idsOf('1')).toEqual(all.filter(([, turn]) => turn?.startsWith('1.')));
  expect((await idsOf('1')).length).toBeLessThan(all.length);
  await expect(idsOf('9')).rejects.toThrow('there is no conversation 9');
  await expect(idsOf('c1.3')).rejects.toThrow('not a call');
});

test('attempts that failed are numbered apart from the one that counts', async () => {
  const retried = new URL('../../sessions/retry/session.trc', import.meta.url).pathname;
  const { json, text } = await show(retried, { ...plain, what: undefined, list: true }, view);
  const places = [...text].flatMap((line) => /^c\d+\.\d+ .* (1\.1 \S+ \d.*?) {2,}/.exec(line)?.[1] ?? []);
  expect(places).toEqual(['1.1 round 1 attempt 1', '1.1 round 1 attempt 2', '1.1 round 1 attempt 3']);
  const listed = ([...json] as { part?: string; round?: number; attempt?: number }[]).filter(({ part }) => part);
  expect(listed.map(({ part, round, attempt }) => [part, round, attempt])).toEqual([
    ['retry', 1, 1],
    ['retry', 1, 2],
    ['round', 1, 3],
  ]);
  const transcript = textOf(await show(retried, { ...plain, what: '1' }, view));
  expect(transcript).toMatch(/attempt 1 +c1\.1 failed after 15ms: rate_limited\n +attempt 2 +c1\.3 failed/);
});

test('every call is listed with its id and its place, those beside conversations as well', async () => {
  const answer = await show(session, { ...plain, what: undefined, list: true }, view);
  const lines = textOf(answer).split('\n');
  expect(lines[0]).toMatch(/^CALL +STARTED +TOTAL +PLACE +CLASS +MODEL +ST +SENT +RECEIVED +HOST$/);
  expect(lines.find((line) => line.startsWith('c1.3 '))).toMatch(/^c1\.3 .* 1\.1 router .* router\.intent router /);
  expect(lines.filter((line) => / 1\.[12] round 1 /.test(line))).toHaveLength(2);
  const listed = [...answer.json] as { readonly call: string }[];
  expect(listed).toHaveLength(lines.length - 1);
  expect(listed.find(({ call }) => call === 'c1.3')).toMatchObject({ type: 'listed', turn: '1.1', part: 'router' });
  for (const { call } of listed) {
    const [one] = [...(await show(session, { ...plain, what: call }, view)).json];
    expect(one).toMatchObject({ id: call });
  }
  await expect(show(session, { ...plain, what: 'c9.9' }, view)).rejects.toThrow(
    '`tracer show FILE --list` lists every call',
  );
});

test('a round says why its answer ended early', async () => {
  const filtered = recordingFile((script) => {
    const connection = script.connection();
    const message = { role: 'assistant', content: 'half' };
    exchange(connection, {
      request: JSON.stringify({ model: 'gpt-4.1', messages: [{ role: 'user', content: 'q' }] }),
      response: JSON.stringify({ choices: [{ message, finish_reason: 'content_filter' }] }),
    });
    connection.close();
  });
  expect(textOf(await show(filtered, { ...plain, what: '1' }, view))).toMatch(/says +half\n +ended +content_filter$/m);
});
