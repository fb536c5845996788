// THE error table: every error that a user can meet, with its text, its remedy and its exit code. Codes are E_ROOM_THING
// and never reused. `scripts/check-errors.mjs` keeps this table, docs/errors.md and the tests in step.
//
// Wire damage and loss are not errors: they are events (see model/exchange.ts). A broken invariant throws plain `Error`.

/** Exit codes of the `tracer` command, documented in docs/errors.md. */
export const EXIT = {
  ok: 0,
  bug: 1,
  use: 2,
  place: 3,
  incomplete: 4,
  target: 5,
  file: 6,
  recording: 7,
} as const;

interface ErrorRow {
  /** One line; `{field}` is replaced by the field of that name. */
  readonly text: string;
  /** What to do, starting with a verb. */
  readonly hint: string;
  readonly exit: number;
}

export const ERRORS = {
  E_CLI_USAGE: { text: '{what}', hint: 'Run `tracer {command} --help` for the options.', exit: EXIT.use },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

const fill = (text: string, fields: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(fields[name] ?? whole));

/** An error for the user: one line, one remedy, an exit code. Thrown in edge rooms, shown by `cli`. */
export class TracerError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;
  readonly exitCode: number;

  constructor(code: ErrorCode, fields: Readonly<Record<string, string | number>> = {}, options?: { cause?: unknown }) {
    const row = ERRORS[code];
    super(fill(row.text, fields), options);
    this.name = 'TracerError';
    this.code = code;
    this.hint = fill(row.hint, fields);
    this.exitCode = row.exit;
  }
}
