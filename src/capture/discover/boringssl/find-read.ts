// SSL_read: it has no error site of its own, but SSL_peek, which the compiler inlines into it or which it calls, has one:
// the 66 just before SSL_write's. Both copy from ssl->s3->pending_app_data to the caller's buffer; only SSL_read consumes
// what it copied, by storing the shortened span.
//
// Finding it is not enough. Profile-guided and link-time optimised builds inline SSL_read into its callers and keep a copy
// that nobody calls. So `isComplete` says whether every place that has SSL_peek's site, or calls SSL_peek, was understood.

import type { Functions } from '../code/functions.ts';
import { fieldOfArg0, isArg, type Value } from '../code/values.ts';
import type { FunctionTrace } from '../code/walk.ts';
import { REASON, type SequenceEntry, type Site, type SitedFunction } from './sites.ts';

/** Where the span of decrypted bytes is: ssl->[s3]->[span]. */
interface PendingSpan {
  readonly s3: number;
  readonly span: number;
}

export interface FoundRead {
  readonly entry: number;
  readonly isComplete: boolean;
  readonly note: string;
}

export type ReadAnswer = { readonly found: FoundRead } | { readonly found?: undefined; readonly why: string };

/** Before there was a site that ends SSL_do_handshake, its lines: SSL_read's parts lie within this many. */
const MAX_LINES = 250;

export function findRead(sequence: readonly SequenceEntry[], writeIndex: number, functions: Functions): ReadAnswer {
  const peekSite = sequence[writeIndex - 1];
  if (peekSite?.reason !== REASON.shouldNotHaveBeenCalled) return { why: 'SSL_read: no site 66 before SSL_write' };
  const holders = [...peekSite.functions].map((f) => ({ f, kind: kindOf(f, peekSite, sequence) }));
  const reads = holders.filter((h) => h.kind === 'read');
  const peeks = holders.filter((h) => h.kind === 'peek');
  const odd = holders.length - reads.length - peeks.length;
  const [read] = reads;
  if (reads.length === 1 && read !== undefined) {
    const note = odd === 0 ? 'SSL_read copies and consumes' : `SSL_read is inlined into ${odd} other functions`;
    return { found: { entry: read.f.trace.entry, isComplete: odd === 0, note } };
  }
  const [peek] = peeks;
  if (reads.length === 0 && peeks.length === 1 && peek !== undefined) {
    return findPeekCaller(peek.f.trace, functions, odd === 0);
  }
  return { why: `SSL_read: ${reads.length} functions read, ${peeks.length} peek, ${odd} are neither` };
}

/** What a function with SSL_peek's site is. `odd`: an application function that SSL_read was inlined into, or not understood. */
function kindOf(f: SitedFunction, peekSite: Site, sequence: readonly SequenceEntry[]): 'read' | 'peek' | 'odd' {
  // What SSL_read may have inlined lies between SSL_do_handshake and SSL_peek.
  const handshakes = sequence.filter((s) => s.reason === REASON.connectionTypeNotSet && s.line < peekSite.line);
  const firstLine = handshakes.at(-1)?.line ?? peekSite.line - MAX_LINES;
  const isPeekSite = (s: Site): boolean => s.line === peekSite.line && s.reason === peekSite.reason;
  if (!f.sites.every((s) => isPeekSite(s) || (s.line >= firstLine && s.line < peekSite.line))) return 'odd';
  const pending = pendingSpan(f.trace);
  if (pending === undefined) return 'odd';
  const isOfSpan = fieldsOfSpan(pending);
  return f.trace.stores.some((s) => s.isAfterCopy && isOfSpan(s.base, s.disp)) ? 'read' : 'peek';
}

/** memcpy(buf, ssl->s3->pending_app_data.data, …), with the span's length read too. */
function pendingSpan({ calls, loads }: FunctionTrace): PendingSpan | undefined {
  for (const { args } of calls) {
    const source = args[1];
    if (!isArg(args[0], 1) || source?.kind !== 'load') continue;
    const s3 = fieldOfArg0(source.base);
    if (s3 === undefined) continue;
    const pending = { s3, span: source.disp };
    const hasLength = loads.some((l) => fieldOfArg0(l.base) === s3 && l.disp === pending.span + 8);
    return hasLength ? pending : undefined;
  }
  return undefined;
}

const fieldsOfSpan =
  ({ s3, span }: PendingSpan) =>
  (base: Value, disp: number): boolean =>
    fieldOfArg0(base) === s3 && (disp === span || disp === span + 8);

/** SSL_read as a caller of an SSL_peek that was not inlined: passes its arguments through and consumes. Another caller that
 * consumes is an inlined SSL_read, and the hook on the function misses it. Callers that only peek are no matter. */
function findPeekCaller(peek: FunctionTrace, functions: Functions, isEveryHolderKnown: boolean): ReadAnswer {
  const pending = pendingSpan(peek);
  if (pending === undefined) return { why: 'SSL_read: SSL_peek was not understood' };
  const callers = callersOf(peek.entry, functions);
  const reads = callers.known.filter((f) => passesThrough(f, peek.entry));
  const inlined = callers.known.filter((f) => !reads.includes(f) && consumes(f, pending));
  const [read] = reads;
  if (read === undefined || reads.length !== 1) return { why: `SSL_read: ${reads.length} callers of SSL_peek fit` };
  const missed = inlined.length + callers.unknownCount;
  return {
    found: {
      entry: read.entry,
      isComplete: isEveryHolderKnown && missed === 0,
      note: missed === 0 ? 'SSL_read calls SSL_peek' : `SSL_read is inlined into ${missed} callers of SSL_peek`,
    },
  };
}

function callersOf(entry: number, functions: Functions): { known: FunctionTrace[]; unknownCount: number } {
  const { map } = functions;
  const calls = [...(map.calls.get(entry) ?? [])];
  const jumps = (map.jumps.get(entry) ?? []).filter((j) => !j.isConditional).map((j) => j.from);
  functions.survey([...calls, ...jumps]);
  const known = new Set<FunctionTrace>();
  let unknownCount = 0;
  for (const from of [...calls, ...jumps]) {
    const f = functions.containing(from);
    // A jump outside any function is a jump table's thunk, or a byte that happens to look like one.
    if (f === undefined && calls.includes(from)) unknownCount++;
    else if (f?.calls.some((c) => c.target === entry)) known.add(f);
  }
  return { known: [...known], unknownCount };
}

function passesThrough(f: FunctionTrace, peek: number): boolean {
  const passes = f.calls.some((c) => c.target === peek && [0, 1, 2].every((n) => isArg(c.args[n], n)));
  const stored = f.stores.filter((s) => fieldOfArg0(s.base) !== undefined).map((s) => s.disp);
  return passes && stored.some((disp) => stored.includes(disp + 8));
}

const consumes = (f: FunctionTrace, { s3, span }: PendingSpan): boolean =>
  f.stores.some((s) => (s.disp === span || s.disp === span + 8) && s.base.kind === 'load' && s.base.disp === s3);
