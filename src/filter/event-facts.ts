// What filters can ask of an event: THE table of fields. A field belongs to types of events; asked of another type, the answer
// is neither yes nor no (see evaluate.ts). `docs/filters.md` is its manual, a test holds the two together.

import type { CallEvent, CallStartedEvent, FleetEvent, Message, Negotiated, Origin, Part } from '../model/index.ts';

type Type = FleetEvent['type'];

/** What an event does not say about itself. */
export interface FilterContext {
  /** Rules and severities of the findings in a call, as far as known. */
  readonly findings: readonly string[];
  /** Who sent the event, when it came over a bus. */
  readonly origin: Origin | null;
  /** What the handshake of its connection negotiated, as far as known. */
  readonly negotiated?: Negotiated | undefined;
}

/** `prose` is text that is searched, `text` one that is compared. */
export type FieldUnit = 'text' | 'prose' | 'number' | 'bytes' | 'time';

export interface FieldRow {
  readonly name: string;
  readonly unit: FieldUnit;
  /** Empty: events of every type have it. */
  readonly of: readonly Type[];
  readonly about: string;
  /** All values; none when the event has the field and nothing in it. `name` is what follows the dot in `header.NAME`. */
  readonly values: (event: FleetEvent, context: FilterContext, name: string) => readonly (string | number)[];
}

type Value = string | number | boolean | null | undefined;

const some = (...values: readonly Value[]): (string | number)[] =>
  values.flatMap((value) =>
    value === null || value === undefined ? [] : [typeof value === 'boolean' ? String(value) : value],
  );

/** A member by its name, whatever type the event is of: the row says which have it. */
const member = (event: FleetEvent, name: string): Value => (event as unknown as Readonly<Record<string, Value>>)[name];

const own =
  (name: string): FieldRow['values'] =>
  (event) =>
    some(member(event, name));

const CALL: readonly Type[] = ['call'];
const CALLS: readonly Type[] = ['call', 'call.started'];

/** Rows of a completed call. */
const ofCall =
  (get: (call: CallEvent, name: string) => readonly (string | number)[]): FieldRow['values'] =>
  (event, _context, name) =>
    event.type === 'call' ? get(event, name) : [];

/** A part that refers to itself deeper than this is not followed. */
const MAX_DEPTH = 16;

function* partTexts(parts: readonly Part[], depth = 0): Iterable<string> {
  if (depth > MAX_DEPTH) return;
  for (const part of parts) {
    if (part.kind === 'text' || part.kind === 'thinking') yield part.text;
    else if (part.kind === 'tool-call') yield part.argumentsText;
    else if (part.kind === 'tool-result') yield* partTexts(part.parts, depth + 1);
    else if (part.kind === 'reference') yield JSON.stringify(part.data ?? null);
    else if (part.kind === 'other') yield JSON.stringify(part.json ?? null);
  }
}

const promptTexts = ({ llm }: CallEvent): string[] => [
  ...(llm?.request?.messages ?? []).flatMap((message: Message) => [...partTexts(message.parts)]),
  ...(some(llm?.request?.prompt, llm?.request?.suffix) as string[]),
];

const answerTexts = ({ llm }: CallEvent): string[] =>
  some(
    llm?.text,
    llm?.thinking,
    ...(llm?.alternatives ?? []),
    ...(llm?.toolCalls ?? []).map((tool) => tool.argumentsText),
  ) as string[];

const url = ({ host, path }: CallEvent | CallStartedEvent): string => `${host ?? ''}${path ?? ''}`;

const headersOf = ({ request, response }: CallEvent) => [
  ...request.headers,
  ...response.headers,
  ...(request.trailers ?? []),
  ...(response.trailers ?? []),
];

const usage = (name: keyof NonNullable<CallEvent['llm']>['usage']): FieldRow['values'] =>
  ofCall(({ llm }) => some(llm?.usage[name]));

/** Calls and connections have what their connection negotiated. */
const ofHandshake = (
  name: string,
  unit: FieldUnit,
  about: string,
  get: (negotiated: Negotiated) => Value,
): FieldRow => ({
  name,
  unit,
  of: ['call', 'connection'],
  about,
  values: (_event, { negotiated }) => some(negotiated && get(negotiated)),
});

/** In the order of the manual. */
export const FIELDS: readonly FieldRow[] = [
  { name: 'type', unit: 'text', of: [], about: 'type of the event, as in docs/events.md', values: own('type') },
  {
    name: 'class',
    unit: 'text',
    of: CALLS,
    about: 'class of the call (docs/classes.md), e.g. `chat.completions`',
    values: own('class'),
  },
  { name: 'kind', unit: 'text', of: CALL, about: 'finer kind of a chat call', values: own('kind') },
  {
    name: 'model',
    unit: 'text',
    of: CALLS,
    about: 'model asked for, and the one that answered',
    values: (event) =>
      event.type === 'call' ? some(event.llm?.request?.model, event.llm?.model) : some(member(event, 'model')),
  },
  {
    name: 'dialect',
    unit: 'text',
    of: CALL,
    about: 'LLM wire format',
    values: ofCall(({ llm }) => some(llm?.dialect)),
  },
  { name: 'host', unit: 'text', of: CALLS, about: 'host that was called', values: own('host') },
  { name: 'path', unit: 'text', of: CALLS, about: 'path with query', values: own('path') },
  {
    name: 'url',
    unit: 'text',
    of: CALLS,
    about: 'host and path',
    values: (event) => (event.type === 'call' || event.type === 'call.started' ? [url(event)] : []),
  },
  { name: 'method', unit: 'text', of: CALLS, about: 'request method', values: own('method') },
  {
    name: 'status',
    unit: 'number',
    of: CALL,
    about: 'status; `status:4xx` for a class of them',
    values: own('status'),
  },
  { name: 'http', unit: 'text', of: CALL, about: 'HTTP version: `1.0`, `1.1`, `2`', values: own('httpVersion') },
  {
    name: 'header',
    unit: 'text',
    of: CALL,
    about:
      '`header.NAME`: values of that header or trailer field of request or response; `header`: all as `name: value`',
    values: ofCall((call, name) =>
      name === ''
        ? headersOf(call).map(([key, value]) => `${key}: ${value}`)
        : headersOf(call).flatMap(([key, value]) => (key === name ? [value] : [])),
    ),
  },
  { name: 'prompt', unit: 'prose', of: CALL, about: 'each text of the request', values: ofCall(promptTexts) },
  {
    name: 'text',
    unit: 'prose',
    of: CALL,
    about: 'each text of the answer, thinking and tool arguments included',
    values: ofCall(answerTexts),
  },
  {
    name: 'body',
    unit: 'prose',
    of: CALL,
    about: '`prompt` and `text`',
    values: ofCall((call) => [...promptTexts(call), ...answerTexts(call)]),
  },
  {
    name: 'tool',
    unit: 'text',
    of: CALL,
    about: 'name of a tool that the answer calls',
    values: ofCall(({ llm }) => (llm?.toolCalls ?? []).map(({ name }) => name)),
  },
  {
    name: 'tool.offered',
    unit: 'text',
    of: CALL,
    about: 'name of a tool that the request offers',
    values: ofCall(({ llm }) => (llm?.request?.tools ?? []).map(({ name }) => name)),
  },
  {
    name: 'finish',
    unit: 'text',
    of: CALL,
    about: 'why the answer ended',
    values: ofCall(({ llm }) => some(llm?.finishReason)),
  },
  {
    name: 'error',
    unit: 'prose',
    of: CALL,
    about: 'code and message of an error that the provider sent',
    values: ofCall(({ llm }) => some(llm?.error?.code, llm?.error?.message)),
  },
  { name: 'tokens.input', unit: 'number', of: CALL, about: 'prompt tokens', values: usage('input') },
  { name: 'tokens.cached', unit: 'number', of: CALL, about: 'of these, from the cache', values: usage('cached') },
  { name: 'tokens.output', unit: 'number', of: CALL, about: 'answer tokens', values: usage('output') },
  { name: 'tokens.reasoning', unit: 'number', of: CALL, about: 'of these, reasoning', values: usage('reasoning') },
  {
    name: 'tokens',
    unit: 'number',
    of: CALL,
    about: 'input and output together',
    values: ofCall(({ llm }) => {
      const { total, input, output } = llm?.usage ?? {};
      return some(total ?? (input === undefined && output === undefined ? undefined : (input ?? 0) + (output ?? 0)));
    }),
  },
  {
    name: 'bytes.out',
    unit: 'bytes',
    of: CALL,
    about: 'size of the request body',
    values: ofCall(({ request }) => [request.bytes]),
  },
  {
    name: 'bytes.in',
    unit: 'bytes',
    of: CALL,
    about: 'size of the response body',
    values: ofCall(({ response }) => [response.bytes]),
  },
  {
    name: 'duration',
    unit: 'time',
    of: CALL,
    about: 'from the first byte to the last',
    values: ofCall(({ timing }) => [timing.durationMs]),
  },
  {
    name: 'ttfb',
    unit: 'time',
    of: CALL,
    about: 'to the head of the response',
    values: ofCall(({ timing }) => some(timing.ttfbMs)),
  },
  {
    name: 'ttft',
    unit: 'time',
    of: CALL,
    about: 'to the first token',
    values: ofCall(({ timing }) => some(timing.ttftMs)),
  },
  {
    name: 'end',
    unit: 'text',
    of: CALL,
    about: 'how it ended: `complete`, `reset`, `cut`, `open`, `lost`',
    values: own('end'),
  },
  { name: 'captured', unit: 'text', of: CALL, about: '`whole` or `partly`', values: own('captured') },
  {
    name: 'finding',
    unit: 'text',
    of: ['call', 'finding'],
    about: 'rule or severity of a finding; `secret` for all of them. A call has those that were told before it',
    values: (event, { findings }) => (event.type === 'finding' ? ['secret', event.rule, event.severity] : findings),
  },
  {
    name: 'id',
    unit: 'text',
    of: ['call', 'call.started', 'call.delta', 'connection', 'finding'],
    about: 'id of the call or connection; of a finding: that of its call',
    values: (event) => some(event.type === 'finding' ? event.call : member(event, 'id')),
  },
  {
    name: 'pid',
    unit: 'number',
    of: ['call', 'call.started', 'connection', 'process'],
    about: 'process',
    values: own('pid'),
  },
  {
    name: 'role',
    unit: 'text',
    of: ['call', 'call.started', 'connection', 'process'],
    about: 'role of the process',
    values: own('role'),
  },
  { name: 'comm', unit: 'text', of: ['process'], about: 'name of the process', values: own('comm') },
  { name: 'exe', unit: 'text', of: ['process'], about: 'path of its program', values: own('exe') },
  { name: 'phase', unit: 'text', of: ['process', 'connection'], about: 'what happened to it', values: own('phase') },
  { name: 'protocol', unit: 'text', of: ['connection'], about: 'protocol of a connection', values: own('protocol') },
  { name: 'sni', unit: 'text', of: ['connection'], about: 'server name that the client asked for', values: own('sni') },
  {
    name: 'remote',
    unit: 'text',
    of: ['connection'],
    about: 'address of the other end, with port',
    values: own('remote'),
  },
  ofHandshake('tls.version', 'number', 'version of TLS, `1.0` to `1.3`', ({ version }) => Number(version)),
  ofHandshake('tls.cipher', 'text', "cipher suite by its name in IANA's registry", ({ cipher }) => cipher),
  ofHandshake('alpn', 'text', 'application protocol that the handshake agreed on', ({ alpn }) => alpn),
  { name: 'cause', unit: 'prose', of: ['loss'], about: 'why bytes were lost', values: own('cause') },
  {
    name: 'from.host',
    unit: 'text',
    of: [],
    about: '`tail` and `collect`: machine that was traced',
    values: (_event, { origin }) => some(origin?.host),
  },
  {
    name: 'from.user',
    unit: 'text',
    of: [],
    about: '`tail` and `collect`: user of the tracer',
    values: (_event, { origin }) => some(origin?.user),
  },
  {
    name: 'from.session',
    unit: 'text',
    of: [],
    about: '`tail` and `collect`: name of the session',
    values: (_event, { origin }) => some(origin?.session),
  },
];

/** The row of a field, and what follows the dot of `header.NAME`. */
export function findField(text: string): { readonly row: FieldRow; readonly name: string } | null {
  const wanted = text.toLowerCase();
  const exact = FIELDS.find(({ name }) => name === wanted);
  if (exact !== undefined) return { row: exact, name: '' };
  const header = FIELDS.find(({ name }) => name === 'header');
  return header !== undefined && wanted.startsWith('header.')
    ? { row: header, name: wanted.slice('header.'.length) }
    : null;
}
