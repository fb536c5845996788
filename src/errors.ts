// THE error table: every error that a user can meet, with its text, its remedy and its exit code. Codes are E_ROOM_THING
// and never reused. `scripts/check-errors.mjs` keeps this table, docs/errors.md and the tests in step.
//
// Wire damage and loss are not errors: they are events (see model/exchange.ts). A broken invariant throws plain `Error`.

/**
 * Exit codes of the `tracer` command; docs/errors.md is their manual. One per cause, so that a script can tell them apart:
 * 1x the target, 2x this machine or our rights on it, 3x files that we write, 4x recordings that we read, 6x files that say how we work,
 * 7x the message bus, 8x filters; 126 and 127 as env(1) and shells use them.
 */
export const EXIT = {
  ok: 0,
  bug: 1,
  use: 2,
  findings: 3,
  incomplete: 4,
  no: 5,
  noSuchPid: 10,
  exitedWhileAttaching: 11,
  kernelThread: 12,
  noTls: 13,
  notFound: 14,
  alreadyTraced: 15,
  commandFailed: 16,
  noMatch: 17,
  choose: 18,
  noClient: 19,
  rights: 20,
  noBtf: 21,
  oldKernel: 22,
  notBuilt: 23,
  loadFailed: 24,
  noTool: 25,
  unwritable: 30,
  diskFull: 31,
  exportFull: 32,
  exportRefused: 33,
  metricsListen: 34,
  metricsToken: 35,
  exists: 36,
  otlpAddress: 37,
  unreadable: 40,
  corrupt: 41,
  newerFormat: 42,
  sameRecording: 43,
  noSuchCall: 44,
  nothingSelected: 45,
  locked: 46,
  storeNone: 50,
  storeUnreadable: 51,
  rulesUnreadable: 60,
  rulesInvalid: 61,
  pricesInvalid: 62,
  findUnreadable: 63,
  logUnreadable: 66,
  offsetWrong: 64,
  symbolsUnusable: 65,
  natsUrl: 70,
  natsFile: 71,
  natsRefused: 72,
  natsStream: 73,
  natsSpool: 74,
  natsUnreachable: 75,
  filterInvalid: 80,
  notExecutable: 126,
  noProgram: 127,
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
  E_TARGET_NO_SUCH_PID: {
    text: 'there is no process {pid}',
    hint: 'Look the pid up with `tracer ps` or `pgrep -af code`.',
    exit: EXIT.noSuchPid,
  },
  E_TARGET_EXITED: {
    text: 'process {pid} has exited, so that no probes can be put into it',
    hint: 'Use `tracer run -- COMMAND` for a program that ends quickly.',
    exit: EXIT.exitedWhileAttaching,
  },
  E_TARGET_KERNEL_THREAD: {
    text: 'process {pid} ({comm}) is a kernel thread: it runs no TLS library',
    hint: 'Choose a user process; `tracer ps` lists those that can be traced.',
    exit: EXIT.kernelThread,
  },
  E_TARGET_NO_TLS: {
    text: 'no TLS library in process {pid} ({comm}) or its children',
    hint: 'Check that it is the process that talks to the network (`tracer ps`); add --wait to attach anyway and hook a library that is loaded later.',
    exit: EXIT.noTls,
  },
  E_TARGET_NOT_HOOKABLE: {
    text: 'process {pid} ({comm}) has a TLS library that cannot be hooked: {reason}',
    hint: 'Report the library and its build-id, or trace another process of the same program.',
    exit: EXIT.notFound,
  },
  E_TARGET_TRACED: {
    text: 'process {pid} is already traced by another tracer',
    hint: 'Stop that tracer first: two would only double the cost.',
    exit: EXIT.alreadyTraced,
  },
  E_TARGET_COMMAND: {
    text: 'cannot start {command}: {reason}',
    hint: 'Check the name and that the user {user} may execute it.',
    exit: EXIT.commandFailed,
  },
  E_TARGET_NOT_EXECUTABLE: {
    text: 'cannot start {command}: {reason}',
    hint: 'Give a program, or make the file executable: chmod +x.',
    exit: EXIT.notExecutable,
  },
  E_TARGET_NO_PROGRAM: {
    text: 'cannot start {command}: {reason}',
    hint: 'Check the name; sudo has a PATH of its own, so that a full path is safest.',
    exit: EXIT.noProgram,
  },
  E_TARGET_NO_MATCH: {
    text: 'no running process matches {what}',
    hint: 'Look at the names, programs and roles in `tracer ps --all`; quote patterns for the shell.',
    exit: EXIT.noMatch,
  },
  E_TARGET_CHOOSE: {
    text: 'no target was given; running here: {clients}',
    hint: 'Give one of these, or --name, --exe or --all (on a terminal you are asked).',
    exit: EXIT.choose,
  },
  E_TARGET_NO_CLIENT: {
    text: 'no target was given, and no editor or Copilot client runs here',
    hint: 'Give --pid, --name or --exe; `tracer ps` lists what can be traced.',
    exit: EXIT.noClient,
  },
  E_TARGET_SYMBOLS: {
    text: 'cannot use the symbols in {path}: {reason}',
    hint: 'Give a Breakpad symbol file, or an ELF file with a symbol table, of the very build that runs.',
    exit: EXIT.symbolsUnusable,
  },
  E_TARGET_OFFSET: {
    text: 'cannot use the offsets for {path}: {reason}',
    hint: 'Check file and offsets (docs/discovery.md): file offsets of function entries, at least one that reads and one that writes.',
    exit: EXIT.offsetWrong,
  },
  E_PLACE_RIGHTS: {
    text: 'not allowed to trace: missing {missing}',
    hint: 'Run it as root: `sudo tracer {command} …`.',
    exit: EXIT.rights,
  },
  E_PLACE_NO_BTF: {
    text: 'this kernel has no type information (/sys/kernel/btf/vmlinux), so processes cannot be followed',
    hint: 'Use a kernel with CONFIG_DEBUG_INFO_BTF=y, or add --no-children to trace the given processes only.',
    exit: EXIT.noBtf,
  },
  E_PLACE_OLD_KERNEL: {
    text: 'kernel {release} is too old: the ring buffer needs 5.8',
    hint: 'Upgrade to Linux 5.8 or newer; docs/kernels.md lists what later ones add.',
    exit: EXIT.oldKernel,
  },
  E_PLACE_NOT_BUILT: {
    text: 'a built part is missing: {what}',
    hint: 'Run `make build` in the checkout; it names the packages it lacks (clang is needed for building only).',
    exit: EXIT.notBuilt,
  },
  E_PLACE_LOAD: {
    text: 'the kernel refused the BPF programs: {reason}',
    hint: 'Run `tracer doctor`; with --log-level debug the verifier log is printed in full.',
    exit: EXIT.loadFailed,
  },
  E_PLACE_NO_TOOL: {
    text: 'the program {tool} is needed and is not in PATH ({path})',
    hint: 'Install the package {package}, or run the tracer with a PATH that has it.',
    exit: EXIT.noTool,
  },
  E_FILE_UNWRITABLE: {
    text: 'cannot write {path}: {reason}',
    hint: 'Choose another path: files are written with the rights of the user {user}.',
    exit: EXIT.unwritable,
  },
  E_FILE_FULL: {
    text: 'writing {path} failed: {reason}; the recording holds everything up to its last whole block',
    hint: 'Free some space; `tracer replay {path}` shows what was kept.',
    exit: EXIT.diskFull,
  },
  E_FILE_EXISTS: {
    text: '{path} exists already and would be written over',
    hint: 'Choose another name, or add --overwrite.',
    exit: EXIT.exists,
  },
  E_EXPORT_FULL: {
    text: 'writing {path} failed: {reason}',
    hint: 'Free some space and run it again: what was written is incomplete.',
    exit: EXIT.exportFull,
  },
  E_EXPORT_REFUSED: {
    text: '{target} did not take the data: {reason}',
    hint: 'Check the address and that a collector listens there (4318 for http://, 4317 for grpc://), then run it again.',
    exit: EXIT.exportRefused,
  },
  E_OTLP_ADDRESS: {
    text: 'not an address of a collector: {what}',
    hint: 'Give one like http://localhost:4318; credentials belong into OTEL_EXPORTER_OTLP_HEADERS.',
    exit: EXIT.otlpAddress,
  },
  E_METRICS_LISTEN: {
    text: 'cannot listen on {address} for metrics: {reason}',
    hint: 'Choose another port with --metrics, or 0 for any.',
    exit: EXIT.metricsListen,
  },
  E_METRICS_TOKEN: {
    text: 'cannot read the token for metrics from {path}: {reason}',
    hint: 'Put one line into a file that only you can read.',
    exit: EXIT.metricsToken,
  },
  E_RECORDING_UNREADABLE: {
    text: 'cannot read {path}: {reason}',
    hint: 'Check the path; recordings belong to the user who made them.',
    exit: EXIT.unreadable,
  },
  E_RECORDING_CORRUPT: {
    text: '{path} {what}',
    hint: 'Give a whole file made with --record{kept}.',
    exit: EXIT.corrupt,
  },
  E_RECORDING_NEWER: {
    text: '{path} has recording format {found}; this version reads up to {known}',
    hint: 'Update the tracer to the version that made it ({tool}) or newer.',
    exit: EXIT.newerFormat,
  },
  E_RECORDING_LOCKED: {
    text: '{path} is encrypted: {reason}',
    hint: 'Set TRACER_PASSPHRASE, or TRACER_IDENTITY to the file with your age key, or run it on a terminal to be asked.',
    exit: EXIT.locked,
  },
  E_STORE_NONE: {
    text: 'no record of chats (session-store.db) below {home}',
    hint: 'Name the file: `tracer audit-store PATH`; docs/audit.md lists where editors keep it.',
    exit: EXIT.storeNone,
  },
  E_STORE_UNREADABLE: {
    text: 'cannot read {path}: {reason}',
    hint: 'Check the path and that it is a database of VS Code or the Copilot CLI.',
    exit: EXIT.storeUnreadable,
  },
  E_RULES_UNREADABLE: {
    text: 'cannot read the rules in {path}: {reason}',
    hint: 'Check the path given to --rules.',
    exit: EXIT.rulesUnreadable,
  },
  E_RULES_INVALID: {
    text: '{path}:{line}: {reason}',
    hint: 'Correct the line; docs/rules.md describes every field.',
    exit: EXIT.rulesInvalid,
  },
  E_RECORDING_SAME: {
    text: '{path} and {other} hold the same part of one session',
    hint: 'Give each file once.',
    exit: EXIT.sameRecording,
  },
  E_RECORDING_NO_CALL: {
    text: 'there is no call {call} in {path}',
    hint: 'Look the id up with `tracer show {path} --list`.',
    exit: EXIT.noSuchCall,
  },
  E_RECORDING_NOTHING: {
    text: 'no call in {path} matches',
    hint: 'Widen the selection; `tracer info {path}` shows times and classes.',
    exit: EXIT.nothingSelected,
  },
  E_PRICES_INVALID: {
    text: 'cannot use the price table {path}: {reason}',
    hint: 'Compare it with the example in docs/cost.md.',
    exit: EXIT.pricesInvalid,
  },
  E_FIND_UNREADABLE: {
    text: 'cannot read what to look for, {path}: {reason}',
    hint: 'Check the path; the file is read as it is now.',
    exit: EXIT.findUnreadable,
  },
  E_LOG_UNREADABLE: {
    text: 'cannot use the debug log {path}: {reason}',
    hint: 'Give main.jsonl of the Agent Debug Log, or spans exported as OTLP-JSON (docs/evidence.md).',
    exit: EXIT.logUnreadable,
  },
  E_NATS_URL: {
    text: 'this is no NATS server: {what}',
    hint: 'Give nats://host:4222 or tls://host:4222; user and password come from --nats-login or the environment (docs/nats.md).',
    exit: EXIT.natsUrl,
  },
  E_NATS_FILE: {
    text: 'cannot use {path} for NATS: {reason}',
    hint: 'Check the path; a file with a secret must be readable by its owner only (chmod 600).',
    exit: EXIT.natsFile,
  },
  E_NATS_REFUSED: {
    text: 'the NATS server {server} refused us: {reason}',
    hint: 'Check --nats-creds, --nats-nkey, --nats-login, --nats-ca, and the permissions in docs/nats.md.',
    exit: EXIT.natsRefused,
  },
  E_NATS_STREAM: {
    text: 'the JetStream stream {stream} cannot be used: {reason}',
    hint: 'Look at it with `nats stream info {stream}`; an existing stream is never changed by the tracer (docs/nats.md).',
    exit: EXIT.natsStream,
  },
  E_NATS_SPOOL: {
    text: 'no place for events that wait: {path}: {reason}',
    hint: 'Name a directory of your own, mode 0700, with --nats-spool.',
    exit: EXIT.natsSpool,
  },
  E_NATS_UNREACHABLE: {
    text: 'no NATS server can be reached: {reason}',
    hint: 'Check that one runs there (docs/nats.md shows how to start one).',
    exit: EXIT.natsUnreachable,
  },
  E_FILTER_INVALID: {
    text: 'filter: {what} at column {column}: {marked}',
    hint: 'Look the fields and operators up in docs/filters.md.',
    exit: EXIT.filterInvalid,
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

const fill = (text: string, fields: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(fields[name] ?? whole));

const READING: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'not allowed',
  EPERM: 'not allowed',
  EISDIR: 'it is a directory',
  ELOOP: 'it is a symbolic link',
};

/** Why a file that the user named cannot be read, in words where there are some. */
export function readingReason(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const { code, message } = cause as Error & { readonly code?: string };
  return READING[code ?? ''] ?? code ?? message;
}

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
