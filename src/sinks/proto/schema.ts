// Which member of an event is which kind of field of events.proto: one table per message, members in the order in which
// NDJSON writes them. A test holds the tables and the .proto against each other.

import {
  bool,
  double,
  json,
  list,
  message,
  numbers,
  optionalList,
  orNull,
  pair,
  type Schema,
  text,
  uint,
} from './fields.ts';

const TlsLibrary: Schema = { library: text, file: text, hooked: bool, reason: text };

const Process: Schema = {
  phase: text,
  pid: uint,
  parentPid: uint,
  comm: text,
  exe: text,
  args: list(text),
  role: text,
  tls: list(message(() => TlsLibrary)),
  exitCode: uint,
  stale: bool,
};

const Connection: Schema = {
  phase: text,
  id: text,
  pid: uint,
  role: text,
  protocol: text,
  detail: text,
  sni: text,
  joinedLate: bool,
  outBytes: uint,
  inBytes: uint,
  lostOutBytes: uint,
  lostInBytes: uint,
};

const CallStarted: Schema = {
  id: text,
  pid: uint,
  role: text,
  class: text,
  host: orNull(text),
  method: orNull(text),
  path: orNull(text),
  model: text,
};

const CallDelta: Schema = { id: text, kind: text, text };

const UnknownHeader: Schema = { index: uint, name: text, value: text, position: uint };

const Body: Schema = {
  bytes: uint,
  decodedBytes: uint,
  lostBytes: uint,
  headers: list(pair),
  unknownHeaders: optionalList(message(() => UnknownHeader)),
  trailers: optionalList(pair),
};

const Timing: Schema = { ttfbMs: orNull(double), ttftMs: orNull(double), durationMs: double };

const ToolCall: Schema = { id: text, name: text, argumentsText: text };

const Usage: Schema = {
  input: uint,
  cached: uint,
  cacheWrite: uint,
  output: uint,
  reasoning: uint,
  acceptedPrediction: uint,
  rejectedPrediction: uint,
  total: uint,
};

const LlmError: Schema = { code: text, message: text };

const OtherItem: Schema = { type: text, json };

/** Members of all kinds of parts, in an order that agrees with that of each kind. */
const Part: Schema = {
  kind: text,
  mediaType: text,
  url: text,
  id: text,
  name: text,
  bytes: uint,
  type: text,
  text,
  argumentsText: text,
  callId: text,
  parts: optionalList(message(() => Part)),
  isError: bool,
  opaqueBytes: uint,
  data: json,
  implicit: bool,
  json,
  cached: bool,
};

const Message: Schema = { role: text, parts: list(message(() => Part)), cached: bool, name: text };

const ToolOffer: Schema = { name: text, description: text, schema: json, deferred: bool };

const LlmRequest: Schema = {
  dialect: text,
  model: orNull(text),
  stream: bool,
  messages: list(message(() => Message)),
  tools: list(message(() => ToolOffer)),
  parameters: json,
  previousResponseId: text,
  prompt: text,
  suffix: text,
};

const Llm: Schema = {
  dialect: text,
  model: orNull(text),
  text,
  thinking: text,
  toolCalls: list(message(() => ToolCall)),
  usage: message(() => Usage),
  finishReason: orNull(text),
  error: message(() => LlmError),
  complete: bool,
  request: message(() => LlmRequest),
  responseId: text,
  alternatives: optionalList(text),
  other: optionalList(message(() => OtherItem)),
};

const Call: Schema = {
  id: text,
  pid: uint,
  role: text,
  class: text,
  kind: text,
  evidence: text,
  confidence: text,
  host: orNull(text),
  method: orNull(text),
  path: orNull(text),
  status: orNull(uint),
  httpVersion: text,
  request: message(() => Body),
  response: message(() => Body),
  llm: message(() => Llm),
  service: json,
  timing: message(() => Timing),
  end: text,
  captured: text,
  joinedLate: bool,
  served: bool,
  copyOf: text,
  notes: optionalList(text),
};

const Loss: Schema = { connection: text, dir: text, bytes: uint, cause: text };

const Finding: Schema = {
  rule: text,
  severity: text,
  call: text,
  where: text,
  fingerprint: text,
  title: text,
  dir: text,
  host: text,
  model: text,
  message: uint,
  part: uint,
  offset: uint,
  length: uint,
  item: text,
  file: text,
  encoded: bool,
};

const ByteTotals: Schema = { out: uint, in: uint };
const LossTotals: Schema = { out: uint, in: uint, incompleteCalls: uint };

const Cost: Schema = {
  hookedCalls: uint,
  ringHighWaterBytes: uint,
  bpfRunMs: double,
  tracerCpuMs: double,
  ringBytes: uint,
};

const Summary: Schema = {
  reason: text,
  durationMs: uint,
  calls: uint,
  callsByClass: numbers,
  connections: uint,
  processes: uint,
  bytes: message(() => ByteTotals),
  lost: message(() => LossTotals),
  counters: numbers,
  cost: message(() => Cost),
  complete: bool,
};

const Session: Schema = { session: text, host: text, user: text, toolVersion: text };

const Heartbeat: Schema = {
  uptimeMs: uint,
  intervalMs: uint,
  accepted: uint,
  published: uint,
  spooledBytes: uint,
  dropped: uint,
};

/** Schemas by message name, for whoever compares them with the .proto. */
export const SCHEMAS: Readonly<Record<string, Schema>> = {
  Process,
  TlsLibrary,
  Connection,
  CallStarted,
  CallDelta,
  Call,
  UnknownHeader,
  Body,
  Timing,
  Llm,
  ToolCall,
  Usage,
  LlmError,
  OtherItem,
  LlmRequest,
  Message,
  ToolOffer,
  Part,
  Loss,
  Finding,
  Summary,
  ByteTotals,
  LossTotals,
  Cost,
  Session,
  Heartbeat,
};

/** Field of `Event` and schema by the event's type; another type travels as `Event.other`. */
export const FACTS: Readonly<Record<string, { readonly field: string; readonly schema: Schema }>> = {
  process: { field: 'process', schema: Process },
  connection: { field: 'connection', schema: Connection },
  'call.started': { field: 'callStarted', schema: CallStarted },
  'call.delta': { field: 'callDelta', schema: CallDelta },
  call: { field: 'call', schema: Call },
  loss: { field: 'loss', schema: Loss },
  finding: { field: 'finding', schema: Finding },
  summary: { field: 'summary', schema: Summary },
  session: { field: 'session', schema: Session },
  heartbeat: { field: 'heartbeat', schema: Heartbeat },
};
