// OpenSSL 3 in a program that is statically linked and stripped. Each error site in its source calls
//
//     ERR_set_debug("…/ssl/ssl_lib.c", line, "ssl_read_internal")
//
// so a function that holds such a call *is* the named one, or has it inlined. What it is good for is decided by its shape:
// it hands its own ssl, buf and num to the method table's ssl_read or ssl_write; the fourth argument of that call tells
// where the count goes, to the caller's pointer (the `_ex` shape) or to a local variable (the plain shape).
//
// Right or silent: every function that holds an internal function's site must be understood, else some data would go
// unseen; the offsets in the table must be those of a known layout; and the function that frees a connection must be found.
//
// LIMITS: OpenSSL 1.1 has no names at its sites. The server name is not seen (SSL_ctrl has no site of its own).

import { Functions } from '../code/functions.ts';
import { inRanges, type Range } from '../code/machine.ts';
import { machineOf } from '../code/machine-of.ts';
import { isArg } from '../code/values.ts';
import type { FunctionTrace } from '../code/walk.ts';
import type { ProgramImage } from '../image.ts';
import type { AnchorName } from '../strings.ts';
import { textRanges } from '../text-ranges.ts';
import { findMethodFree } from './find-method-free.ts';
import { LAYOUTS, type MethodLayout } from './layouts.ts';

export interface FoundFunction {
  readonly direction: 'read' | 'write';
  readonly entry: number;
  /** Position of the `size_t *` argument; absent in the plain shape, which returns the count. */
  readonly doneIndex?: number;
}

export interface StaticOpenSsl {
  readonly functions: readonly FoundFunction[];
  readonly free: number;
}

export type StaticAnswer = { readonly found: StaticOpenSsl } | { readonly found?: undefined; readonly why: string };

const SITES: Readonly<Record<FoundFunction['direction'], { inner: AnchorName; outer: AnchorName }>> = {
  read: { inner: 'opensslReadInternal', outer: 'opensslRead' },
  write: { inner: 'opensslWriteInternal', outer: 'opensslWrite' },
};

export function findStaticOpenSsl(image: ProgramImage): StaticAnswer {
  const paths = textRanges(image, 'opensslLib');
  const names = new Map(
    Object.values(SITES)
      .flatMap((s) => [s.inner, s.outer])
      .map((n) => [n, nameRanges(image, n)]),
  );
  const wanted = [...names.values()].flat();
  if (wanted.length === 0) return { why: 'no function names at the error sites (before OpenSSL 3)' };
  const machine = machineOf(image.elf);
  const functions = new Functions(image.elf, machine);
  const places = machine.scanReferences(wanted).map((r) => r.at);
  functions.survey(places);
  const { functions: traces, orphans } = functions.resolve(places);
  if (orphans.length > 0) return { why: `${orphans.length} error sites lie in no recognised function` };
  const holds = (trace: FunctionTrace, name: AnchorName): boolean => hasSite(trace, paths, names.get(name) ?? []);
  for (const layout of LAYOUTS) {
    const found = (['read', 'write'] as const).map((direction) => findDirection(traces, holds, direction, layout));
    const all = found.flatMap((f) => f ?? []);
    if (found.some((f) => f === undefined)) continue;
    const free = findMethodFree(image.elf, layout);
    return free === undefined ? { why: 'the method table is not found' } : { found: { functions: all, free } };
  }
  return { why: 'ssl_read_internal and ssl_write_internal were not understood in every place' };
}

/** The address behind each anchor's NUL. */
const nameRanges = (image: ProgramImage, name: AnchorName): Range[] =>
  textRanges(image, name).map(({ high }) => ({ low: high, high: high + 1 }));

const hasSite = (trace: FunctionTrace, paths: readonly Range[], names: readonly Range[]): boolean =>
  trace.calls.some(({ args: [file, , name] }) => {
    const isPath = file?.kind === 'const' && inRanges(paths, file.value);
    return isPath && name?.kind === 'const' && inRanges(names, name.value);
  });

/** All functions through which a direction's data goes; nothing when one of them is not understood. */
function findDirection(
  traces: readonly FunctionTrace[],
  holds: (trace: FunctionTrace, name: AnchorName) => boolean,
  direction: FoundFunction['direction'],
  layout: MethodLayout,
): FoundFunction[] | undefined {
  const { inner, outer } = SITES[direction];
  const holders = traces.filter((trace) => holds(trace, inner));
  const found = holders.flatMap((trace) => shapeOf(trace, direction, holds(trace, outer), layout) ?? []);
  return found.length === holders.length && found.length > 0 ? found : undefined;
}

function shapeOf(
  trace: FunctionTrace,
  direction: FoundFunction['direction'],
  isOuter: boolean,
  layout: MethodLayout,
): FoundFunction | undefined {
  for (const { args, through } of trace.calls) {
    const table = through?.base;
    const isMethod = table?.kind === 'load' && isArg(table.base, 0) && table.disp === layout.methodField;
    if (!isMethod || through?.disp !== layout[direction]) continue;
    if (![0, 1, 2].every((n) => isArg(args[n], n))) continue;
    const done = args[3];
    if (done?.kind === 'arg') return { direction, entry: trace.entry, doneIndex: done.index };
    // A local variable's address: only the public function returns what it counted.
    const isLocal = done?.kind === 'sum' && done.base.kind === 'stack';
    if (isLocal && isOuter) return { direction, entry: trace.entry };
  }
  return undefined;
}
