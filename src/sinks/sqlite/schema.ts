// The tables of the SQLite export; docs/exports.md is their manual. Columns are only ever added.

/** Raised when a column changes its meaning; `pragma user_version`. */
const SCHEMA_VERSION = 1;

export const SCHEMA = `
pragma journal_mode = memory;
pragma synchronous = off;
pragma user_version = ${SCHEMA_VERSION};
create table processes (
  time text not null, phase text not null, pid integer not null, parent_pid integer, role text, comm text, exe text,
  args text, exit_code integer
);
create table connections (
  id text primary key, pid integer, role text, opened text, closed text, protocol text, sni text, local text, remote text,
  joined_late integer,
  out_bytes integer, in_bytes integer, lost_out_bytes integer, lost_in_bytes integer,
  tls_version text, tls_cipher text, alpn text
);
create table calls (
  id text primary key, time text not null, ts_ns integer not null, connection text, pid integer, role text,
  class text not null, kind text, host text, method text, path text, status integer, http_version text,
  request_bytes integer, response_bytes integer, lost_bytes integer,
  dialect text, model text, answered_by text, input_tokens integer, cached_tokens integer, cache_write_tokens integer,
  output_tokens integer, reasoning_tokens integer, finish_reason text, error_code text, error_message text,
  answer text, thinking text, ttfb_ms real, ttft_ms real, duration_ms real, "end" text, captured text,
  conversation integer, turn text, event text not null
);
create table headers (call text not null, side text not null, n integer not null, name text not null, value text not null);
create table tool_calls (call text not null, n integer not null, id text, name text, arguments text);
create table losses (time text not null, connection text, dir text, bytes integer, cause text);
create table findings (time text not null, call text, rule text, severity text, place text, fingerprint text);
create view usage_by_model as
  select model, count(*) as calls, sum(input_tokens) as input, sum(cached_tokens) as cached, sum(output_tokens) as output
  from calls where model is not null group by model;
`;

/** Made behind the rows: faster than keeping them while rows are added. */
export const INDEXES = `
create index calls_by_class on calls (class);
create index calls_by_time on calls (ts_ns);
create index headers_by_call on headers (call);
create index tool_calls_by_call on tool_calls (call);
`;
