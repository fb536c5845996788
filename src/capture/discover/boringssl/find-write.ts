// SSL_write: the function whose error sites are `66 226 [194] 215 [111]`, adjacent in line order and alone in it, and that
// hands its own ssl, buf and num to the method table's write_app_data.

import { isArg, type Value } from '../code/values.ts';
import type { FunctionTrace } from '../code/walk.ts';
import { REASON, type SequenceEntry, type SitedFunction } from './sites.ts';

const PATTERN: readonly { reason: number; isOptional: boolean }[] = [
  { reason: REASON.shouldNotHaveBeenCalled, isOptional: false },
  { reason: REASON.uninitialized, isOptional: false },
  { reason: REASON.protocolIsShutdown, isOptional: true },
  { reason: REASON.handshakeFailure, isOptional: false },
  { reason: REASON.badLength, isOptional: true },
];

/** SSL_write spans some 45 source lines. */
const MAX_LINES = 60;

export interface FoundWrite {
  readonly entry: number;
  /** Offset of write_app_data in the method table. */
  readonly methodOffset: number;
  /** Positions of buf and len among write_app_data's arguments. */
  readonly bufIndex: number;
  readonly lenIndex: number;
  /** Position of its first site in the sequence: SSL_peek's is the one before. */
  readonly sequenceIndex: number;
  /** No other function contains any of its sites: it was not inlined anywhere. */
  readonly isComplete: boolean;
}

export type WriteAnswer = { readonly found: FoundWrite } | { readonly found?: undefined; readonly why: string };

export function findWrite(sequence: readonly SequenceEntry[]): WriteAnswer {
  const runs = sequence.flatMap((_, index) => {
    const run = matchRun(sequence, index);
    return run === undefined ? [] : [{ index, run }];
  });
  if (runs.length === 0) return { why: 'SSL_write: no error sites 66 226 [194] 215 [111] in a row' };
  const found = runs.flatMap(({ index, run }) => candidates(run, index));
  const [only] = found;
  if (only !== undefined && found.length === 1) return { found: only };
  return { why: `SSL_write: ${found.length} functions fit the error sites and call write_app_data` };
}

function matchRun(sequence: readonly SequenceEntry[], start: number): SequenceEntry[] | undefined {
  const run: SequenceEntry[] = [];
  for (const { reason, isOptional } of PATTERN) {
    const entry = sequence[start + run.length];
    if (entry?.reason === reason) run.push(entry);
    else if (!isOptional) return undefined;
  }
  const lines = (run.at(-1)?.line ?? 0) - (run[0]?.line ?? 0);
  return lines <= MAX_LINES ? run : undefined;
}

function candidates(run: readonly SequenceEntry[], sequenceIndex: number): FoundWrite[] {
  const all = new Set(run.flatMap((entry) => [...entry.functions]));
  const whole = [...all].filter((f) => run.every((entry) => entry.functions.has(f)) && isAlone(f, run));
  return whole.flatMap((f) => {
    const forwarded = forwardsToMethod(f.trace);
    if (forwarded === undefined) return [];
    return [{ entry: f.trace.entry, ...forwarded, sequenceIndex, isComplete: all.size === 1 }];
  });
}

/** No site of another function, except SSL_do_handshake's, which may be inlined here. */
const isAlone = (f: SitedFunction, run: readonly SequenceEntry[]): boolean =>
  f.sites.every(
    (s) => s.reason === REASON.connectionTypeNotSet || run.some((e) => e.line === s.line && e.reason === s.reason),
  );

/** `ssl->method->f(ssl, …)`: the offset of f in the table, for a call through a pointer loaded from there. */
export function methodOffsetOf(call: FunctionTrace['calls'][number]): number | undefined {
  const table: Value | undefined = call.through?.base;
  const isMethod = table?.kind === 'load' && isArg(table.base, 0) && table.disp === 0;
  return isMethod && isArg(call.args[0], 0) ? call.through?.disp : undefined;
}

const MAX_METHOD_BYTES = 0x100;

function forwardsToMethod(
  trace: FunctionTrace,
): Pick<FoundWrite, 'methodOffset' | 'bufIndex' | 'lenIndex'> | undefined {
  for (const call of trace.calls) {
    const methodOffset = methodOffsetOf(call);
    const bufIndex = call.args.findIndex((v) => isArg(v, 1));
    const lenIndex = call.args.findIndex((v) => isArg(v, 2));
    const isInTable = methodOffset !== undefined && methodOffset > 0 && methodOffset < MAX_METHOD_BYTES;
    if (isInTable && bufIndex > 0 && lenIndex > 0) return { methodOffset, bufIndex, lenIndex };
  }
  return undefined;
}
