// Events as rows of the tables in schema.ts. Names of the keys are names of the columns.

import type { CallEvent, ConnectionEvent, FindingEvent, LossEvent, ProcessEvent } from '../../model/index.ts';

/** What a column takes. Undefined is null. */
export type Cell = string | number | bigint | boolean | null | undefined;
export type Row = Readonly<Record<string, Cell>>;

export const callRow = (call: CallEvent): Row => {
  const { llm, request, response, timing } = call;
  return {
    id: call.id,
    time: call.time,
    ts_ns: BigInt(call.tsNs),
    connection: call.id.slice(0, call.id.indexOf('.')),
    pid: call.pid,
    role: call.role,
    class: call.class,
    kind: call.kind,
    host: call.host,
    method: call.method,
    path: call.path,
    status: call.status,
    http_version: call.httpVersion,
    request_bytes: request.bytes,
    response_bytes: response.bytes,
    lost_bytes: (request.lostBytes ?? 0) + (response.lostBytes ?? 0),
    dialect: llm?.dialect,
    model: llm?.model,
    answered_by: llm?.answeredBy,
    input_tokens: llm?.usage.input,
    cached_tokens: llm?.usage.cached,
    cache_write_tokens: llm?.usage.cacheWrite,
    output_tokens: llm?.usage.output,
    reasoning_tokens: llm?.usage.reasoning,
    finish_reason: llm?.finishReason,
    error_code: llm?.error?.code,
    error_message: llm?.error?.message,
    answer: llm?.text,
    thinking: llm?.thinking,
    ttfb_ms: timing.ttfbMs,
    ttft_ms: timing.ttftMs,
    duration_ms: timing.durationMs,
    end: call.end,
    captured: call.captured,
    event: JSON.stringify(call),
  };
};

export const headerRows = (call: CallEvent): Row[] =>
  (['request', 'response'] as const).flatMap((side) =>
    call[side].headers.map(([name, value], n) => ({ call: call.id, side, n, name, value })),
  );

export const toolRows = (call: CallEvent): Row[] =>
  (call.llm?.toolCalls ?? []).map(({ id, name, argumentsText }, n) => ({
    call: call.id,
    n,
    id,
    name,
    arguments: argumentsText,
  }));

export const processRow = ({ time, phase, pid, parentPid, role, comm, exe, args, exitCode }: ProcessEvent): Row => ({
  time,
  phase,
  pid,
  parent_pid: parentPid,
  role,
  comm,
  exe,
  args: JSON.stringify(args),
  exit_code: exitCode,
});

/** A connection as known by now: columns of facts that this event does not have are left out, to stay as they are. */
export function connectionRow(event: ConnectionEvent): Row {
  const facts = {
    pid: event.pid,
    role: event.role,
    opened: event.phase === 'opened' ? event.time : undefined,
    closed: event.phase === 'closed' ? event.time : undefined,
    protocol: event.protocol,
    sni: event.sni,
    local: event.local,
    remote: event.remote,
    joined_late: event.joinedLate,
    out_bytes: event.outBytes,
    in_bytes: event.inBytes,
    lost_out_bytes: event.lostOutBytes,
    lost_in_bytes: event.lostInBytes,
    tls_version: event.tlsVersion,
    tls_cipher: event.tlsCipher,
    alpn: event.alpn,
  };
  return { id: event.id, ...Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) };
}

export const lossRow = ({ time, connection, dir, bytes, cause }: LossEvent): Row => ({
  time,
  connection,
  dir,
  bytes,
  cause,
});

export const findingRow = ({ time, call, rule, severity, where, fingerprint }: FindingEvent): Row => ({
  time,
  call,
  rule,
  severity,
  place: where,
  fingerprint,
});
