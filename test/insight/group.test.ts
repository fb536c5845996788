import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupCalls } from '../../src/insight/index.ts';
import { asks, gives, made, says, system, tool, user } from './calls.ts';

const rules = system('rules of today');
const workspace = user('<workspace_info>\ntree\n</workspace_info>');
const read = tool('t1', 'read_file', { filePath: '/a' });

/** A turn of two rounds: read a file, then answer. */
const first = (requestId?: string) => {
  const messages = [rules, workspace, asks('fix the bug')];
  const ids = requestId === undefined ? {} : { requestId };
  return [
    made({ kind: 'agent.turn', messages, toolCalls: [read], text: 'let me look', startMs: 0, endMs: 100, ...ids }),
    made({
      kind: 'agent.round',
      messages: [...messages, says('let me look', read), gives('t1', 'code', true)],
      text: 'done',
      startMs: 350,
      endMs: 500,
      ...ids,
    }),
  ];
};
const history = [
  rules,
  workspace,
  asks('fix the bug'),
  says('let me look', read),
  gives('t1', 'code', true),
  says('done'),
];

const shape = (grouping: ReturnType<typeof groupCalls>) =>
  grouping.conversations.map((conversation) => conversation.turns.map((turn) => [turn.asked.text, turn.rounds.length]));

describe.each([
  ['with request ids', 'q'],
  ['without request ids', undefined],
])('conversations %s', (_how, id) => {
  const ids = (suffix: string) => (id === undefined ? {} : { requestId: id + suffix });

  it('have turns, and turns have rounds', () => {
    const second = made({
      kind: 'agent.turn',
      messages: [...history, asks('thanks, now test it')],
      startMs: 600,
      endMs: 700,
      ...ids('2'),
    });
    expect(shape(groupCalls([...first(id), second]))).toEqual([
      [
        ['fix the bug', 2],
        ['thanks, now test it', 1],
      ],
    ]);
  });

  it('keep their first messages apart even in the same workspace', () => {
    const other = made({
      kind: 'agent.turn',
      messages: [rules, workspace, asks('write docs')],
      startMs: 600,
      endMs: 700,
      ...ids('2'),
    });
    expect(shape(groupCalls([...first(id), other]))).toEqual([[['fix the bug', 2]], [['write docs', 1]]]);
  });

  it('are not confused by a date in the system text or by moved cache marks', () => {
    const marked = history.map((message) => ({
      ...message,
      parts: message.parts.map((part) => (part.kind === 'text' ? { ...part, cached: true } : part)),
    }));
    const second = made({
      kind: 'agent.turn',
      messages: [system('rules of tomorrow'), ...marked.slice(1), asks('more')],
      startMs: 600,
      endMs: 700,
      ...ids('2'),
    });
    expect(shape(groupCalls([...first(id), second]))).toHaveLength(1);
  });

  it('count the repetition of a failed request as an attempt of the same round', () => {
    const messages = [rules, workspace, asks('fix the bug')];
    const attempts = [0, 1, 2].map((at) =>
      made({
        kind: 'agent.turn',
        messages,
        startMs: at * 10,
        endMs: at * 10 + 5,
        ...(at < 2 ? { error: 'server_error' } : {}),
        ...ids(''),
      }),
    );
    const { conversations } = groupCalls(attempts);
    expect(conversations).toHaveLength(1);
    expect(conversations[0]?.turns[0]?.rounds).toMatchObject([
      {
        call: attempts[2]?.id,
        failed: [
          { call: attempts[0]?.id, startNs: 0n, endNs: 5_000_000n, reason: 'server_error' },
          { call: attempts[1]?.id, endNs: 15_000_000n, reason: 'server_error' },
        ],
        startNs: 0n,
        endNs: 25_000_000n,
      },
    ]);
  });

  it('go on after a compaction', () => {
    const compaction = made({
      kind: 'compaction',
      messages: [...history, user('summarise')],
      text: '<analysis>a</analysis>\n<summary>\nThe "bug" was fixed.\n</summary>',
      startMs: 600,
      endMs: 700,
    });
    const after = made({
      kind: 'agent.round',
      messages: [
        rules,
        user('<conversation-summary>\nThe "bug" was fixed.\n</conversation-summary>'),
        says('x', tool('t2', 'f')),
        gives('t2', 'r'),
      ],
      startMs: 800,
      endMs: 900,
      ...ids(''),
    });
    const { conversations } = groupCalls([...first(id), compaction, after]);
    expect(conversations).toHaveLength(1);
    expect(conversations[0]?.turns).toMatchObject([
      {
        compactions: [{ call: compaction.id, summary: { text: 'The "bug" was fixed.' }, afterRound: 2 }],
        rounds: { length: 3 },
      },
    ]);
  });
});

describe('the same question asked again', () => {
  const question = [rules, asks('name a colour')];
  const again = (startMs: number, more: Partial<Parameters<typeof made>[0]> = {}) =>
    made({ messages: question, text: 'blue', startMs, endMs: startMs + 5, ...more });

  it('is a conversation of its own every time, however often', () => {
    expect(shape(groupCalls([0, 10, 20, 30, 40].map((at) => again(at))))).toEqual(
      Array.from({ length: 5 }, () => [['name a colour', 1]]),
    );
  });

  it('is an attempt more when the one before failed, and no other', () => {
    const calls = [again(0), again(10, { error: 'overloaded' }), again(20), again(30)];
    const { conversations } = groupCalls(calls);
    expect(conversations.map(({ turns }) => turns.map(({ rounds }) => rounds.map((round) => round.call)))).toEqual([
      [[calls[0]?.id]],
      [[calls[2]?.id]],
      [[calls[3]?.id]],
    ]);
    expect(conversations[1]?.turns[0]?.rounds[0]?.failed).toMatchObject([{ call: calls[1]?.id }]);
  });

  it('goes on where its answer was given', () => {
    const follow = (colour: string, startMs: number) =>
      again(startMs, { messages: [...question, says(colour), asks('why?')] });
    const grouping = groupCalls([
      again(0, { text: 'blue' }),
      again(10, { text: 'red' }),
      follow('blue', 20),
      follow('red', 30),
    ]);
    expect(shape(grouping)).toEqual([
      [
        ['name a colour', 1],
        ['why?', 1],
      ],
      [
        ['name a colour', 1],
        ['why?', 1],
      ],
    ]);
  });

  it('is another turn when it has answers in its history', () => {
    const follow = (startMs: number) => again(startMs, { messages: [...question, says('blue'), asks('why?')] });
    expect(shape(groupCalls([again(0), follow(10), follow(20)]))).toEqual([
      [
        ['name a colour', 1],
        ['why?', 1],
        ['why?', 1],
      ],
    ]);
  });

  it('is one round when a socket failed and HTTP was the second try', () => {
    const overSocket = again(0, { message: 1, error: 'session_expired', requestId: 'upgrade' });
    const overHttp = again(10, { requestId: 'turn' });
    const { conversations } = groupCalls([overSocket, overHttp]);
    expect(shape({ conversations, loose: [] })).toEqual([[['name a colour', 1]]]);
    expect(conversations[0]?.turns[0]?.rounds[0]?.failed).toMatchObject([{ reason: 'session_expired' }]);
  });

  it('is one round when the service forgot the response that it continued, and all was sent again', () => {
    const first = again(0, { message: 1, responseId: 'resp_1', text: 'let me look', toolCalls: [read] });
    const chained = again(10, {
      message: 2,
      messages: [gives('t1', 'code')],
      previousResponseId: 'resp_1',
      error: 'previous_response_not_found',
    });
    const whole = again(20, {
      message: 3,
      messages: [...question, says('let me look', read), gives('t1', 'code')],
    });
    const { conversations } = groupCalls([first, chained, whole]);
    expect(shape({ conversations, loose: [] })).toEqual([[['name a colour', 2]]]);
    expect(conversations[0]?.turns[0]?.rounds[1]?.failed).toMatchObject([{ reason: 'previous_response_not_found' }]);
  });

  it('is two when their request ids say that they are two, though the first failed', () => {
    const calls = [again(0, { error: 'overloaded', requestId: 'a' }), again(10, { requestId: 'b' })];
    expect(shape(groupCalls(calls))).toHaveLength(2);
  });
});

it('takes a message that the editor adds to be gone on with for no turn of the user', () => {
  const cut = made({ messages: [rules, asks('write an essay')], text: 'half', startMs: 0, endMs: 5 });
  const onward = made({
    messages: [rules, asks('write an essay'), says('half'), user('Please continue')],
    startMs: 10,
    endMs: 15,
  });
  const anthropic = (call: typeof cut) => {
    const { request, ...llm } = call.llm!;
    return { ...call, llm: { ...llm, request: { ...request!, dialect: 'anthropic-messages' } } };
  };
  expect(shape(groupCalls([anthropic(cut), anthropic(onward)]))).toEqual([[['write an essay', 2]]]);
  expect(shape(groupCalls([cut, onward]))).toEqual([
    [
      ['write an essay', 1],
      ['Please continue', 1],
    ],
  ]);
});

describe('rounds', () => {
  it('tell how long each tool took, and that it failed', () => {
    const [conversation] = groupCalls(first('q')).conversations;
    expect(conversation?.turns[0]?.rounds[0]?.tools).toEqual([
      {
        id: 't1',
        name: 'read_file',
        permission: 'read',
        arguments: { text: '{"filePath":"/a"}', chars: 17 },
        durationNs: 250_000_000n,
        result: { text: 'code', chars: 4 },
        isError: true,
      },
    ]);
  });

  it('chain by response id when a request holds only what is new', () => {
    const calls = [
      made({
        kind: 'agent.turn',
        messages: [rules, asks('a question')],
        responseId: 'r1',
        toolCalls: [read],
        message: 1,
        startMs: 0,
        endMs: 10,
      }),
      made({
        kind: 'agent.round',
        messages: [gives('t1', 'x')],
        previousResponseId: 'r1',
        responseId: 'r2',
        message: 2,
        startMs: 20,
        endMs: 30,
      }),
      made({
        kind: 'agent.turn',
        messages: [asks('another question')],
        previousResponseId: 'r2',
        message: 3,
        startMs: 40,
        endMs: 50,
      }),
    ];
    const grouping = groupCalls(calls);
    expect(shape(grouping)).toEqual([
      [
        ['a question', 2],
        ['another question', 1],
      ],
    ]);
    expect(grouping.conversations[0]?.turns[0]?.rounds[0]?.tools[0]?.durationNs).toBe(10_000_000n);
  });
});

describe('subagents', () => {
  it('are conversations of their own, linked to the call that started them', () => {
    const run = tool('s1', 'runSubagent', { prompt: 'find all users of f', description: 'd' });
    const messages = [rules, workspace, asks('refactor f')];
    const calls = [
      made({ kind: 'agent.turn', messages, toolCalls: [run], requestId: 'q', startMs: 0, endMs: 10 }),
      made({
        kind: 'agent.subagent',
        messages: [system('sub'), user('find all users of f')],
        toolCalls: [tool('g', 'grep_search')],
        requestId: 'child',
        startMs: 20,
        endMs: 30,
      }),
      made({
        kind: 'agent.subagent',
        messages: [system('sub'), user('find all users of f'), says('', tool('g', 'grep_search')), gives('g', 'x')],
        requestId: 'child',
        startMs: 40,
        endMs: 50,
      }),
      made({
        kind: 'agent.round',
        messages: [...messages, says('', run), gives('s1', 'three users')],
        requestId: 'q',
        startMs: 60,
        endMs: 70,
      }),
    ];
    const { conversations } = groupCalls(calls);
    expect(conversations.map(({ number, kind, parent }) => [number, kind, parent])).toEqual([
      [1, 'agent.turn', undefined],
      [2, 'agent.subagent', { conversation: 1, toolCallId: 's1' }],
    ]);
    expect(conversations[0]?.turns[0]?.rounds[0]?.tools[0]).toMatchObject({ subagent: 2, durationNs: 50_000_000n });
    expect(conversations[1]?.turns[0]?.rounds).toHaveLength(2);
  });
});

describe('helpers', () => {
  it('are linked to the turn of the same user action, or whose words they quote', () => {
    const turn = made({
      kind: 'agent.turn',
      messages: [rules, asks('fix the bug in a.ts')],
      requestId: 'q',
      interactionId: 'i',
      startMs: 0,
      endMs: 10,
    });
    const progress = made({ kind: 'progress_msg', messages: [user('x')], interactionId: 'i', startMs: 1, endMs: 2 });
    const title = made({
      kind: 'title',
      messages: [user('A brief title for: fix the bug in a.ts')],
      text: 'Bug in a.ts',
      startMs: 11,
      endMs: 12,
    });
    const commit = made({
      kind: 'commit_msg',
      messages: [user('changes')],
      interactionId: 'later',
      startMs: 20,
      endMs: 21,
    });
    const grouping = groupCalls([turn, progress, title, commit]);
    expect(grouping.conversations[0]?.turns[0]?.helpers).toEqual([
      { call: progress.id, kind: 'progress_msg', said: undefined },
      { call: title.id, kind: 'title', said: { text: 'Bug in a.ts', chars: 11 } },
    ]);
    expect(grouping.loose).toEqual([{ class: 'chat.completions', kind: 'commit_msg', count: 1, calls: [commit.id] }]);
  });

  it('do not include ghost text, which serves no turn', () => {
    const ghost = made({ class: 'completions.inline', messages: [], startMs: 0, endMs: 1 });
    expect(groupCalls([ghost])).toEqual({
      conversations: [],
      loose: [{ class: 'completions.inline', kind: undefined, count: 1, calls: [ghost.id] }],
    });
  });
});

it('follows a conversation that moves to a model on another wire', () => {
  const request = { id: 't1', name: 'read_file', argumentsText: '{ "filePath": "/a" }' };
  const joined = [
    rules,
    { role: 'user' as const, parts: [...workspace.parts, ...asks('fix the bug').parts] },
    says('let me look', request),
    { role: 'user' as const, parts: gives('t1', 'code').parts },
    { role: 'assistant' as const, parts: [{ kind: 'thinking' as const, text: 'hm' }, ...says('done').parts] },
    asks('now test it'),
  ];
  const moved = made({ kind: 'agent.turn', messages: joined, requestId: 'q2', startMs: 600, endMs: 700 });
  const { conversations } = groupCalls([...first('q').slice(0, 2), moved]);
  expect(conversations).toHaveLength(1);
  expect(conversations[0]?.turns).toHaveLength(2);
});

it('groups chats of which no kind is known, as those with own keys', () => {
  const plain = made({ class: 'byok.openai', messages: [user('hi')], startMs: 0, endMs: 1 });
  expect(groupCalls([plain]).conversations).toMatchObject([{ kind: 'chat', turns: [{ asked: { text: 'hi' } }] }]);
});

it('links the router to the turn whose question it was asked, however the prompt spaces it', () => {
  const service = { facts: 'router' as const, prompt: 'fix the\n  bug ', chosen: 'm' };
  const { llm: _, ...plain } = made({ class: 'router.intent', messages: [], startMs: 0, endMs: 1 });
  const router = { ...plain, service };
  expect(groupCalls([router, ...first('q')]).conversations[0]?.turns[0]).toMatchObject({
    router: router.id,
    routing: { chosen: 'm' },
  });
});

it('takes calls in any order, with any missing, without a throw, and loses none', () => {
  const run = tool('s1', 'runSubagent', { prompt: 'find all users of f' });
  const pool = [
    ...first('q'),
    ...first(),
    made({ kind: 'compaction', messages: history, text: 'short', startMs: 0, endMs: 1 }),
    made({
      kind: 'agent.turn',
      messages: [],
      toolCalls: [run, { id: 'x', name: 'runSubagent', argumentsText: '{"prompt":' }],
      startMs: 0,
      endMs: 1,
    }),
    made({ kind: 'agent.subagent', messages: [user('find all users of f')], startMs: 0, endMs: 1 }),
    made({ kind: 'title', messages: [], startMs: 0, endMs: 1 }),
  ];
  fc.assert(
    fc.property(fc.shuffledSubarray(pool), (calls) => {
      const { conversations, loose } = groupCalls(calls);
      const turns = conversations.flatMap((conversation) => conversation.turns);
      const placed = turns.flatMap((turn) => [
        ...turn.rounds.flatMap((round) => [round.call, ...round.failed]),
        ...turn.compactions.map((compaction) => compaction.call),
        ...turn.helpers.map((helper) => helper.call),
      ]);
      expect(placed.length + loose.reduce((sum, { count }) => sum + count, 0)).toBe(calls.length);
    }),
  );
});

it('follows a turn from a WebSocket, whose calls have no request id, to HTTP', () => {
  const [turnCall, roundCall] = first('q');
  const overSocket = { ...turnCall!, id: { ...turnCall!.id, message: 1 } };
  expect(shape(groupCalls([overSocket, roundCall!]))).toEqual([[['fix the bug', 2]]]);
});

it('counts an answer whose question was not seen', () => {
  const [call] = first('q');
  const { request: _, ...answer } = call!.llm!;
  expect(groupCalls([{ ...call!, llm: answer }]).loose).toMatchObject([{ kind: 'agent.turn', count: 1 }]);
});
