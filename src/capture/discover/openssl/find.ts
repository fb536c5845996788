// OpenSSL 1.1.1 or 3 in a program that is statically linked and stripped. Its error sites (sites.ts) tell which functions are
// ssl_read_internal and ssl_write_internal, or have them inlined. What such a function is good for is decided by its shape:
// it hands its own ssl, buf and num to the method table's ssl_read or ssl_write; the fourth argument of that call tells
// where the count goes, to the caller's pointer (the `_ex` shape) or to a local variable (the plain shape).
//
// Right or silent: every function that holds an internal function's site must be understood, else some data would go
// unseen; the offsets in the table must be those of a known layout; and the function that frees a connection must be found.
//
// Link-time optimisation may inline all of that into the program's own functions, where none of it can be hooked: then the
// level below is, if it is proven whole (find-methods.ts).
//
// LIMITS: the server name is not seen (SSL_ctrl has no site of its own).

import { Functions } from '../code/functions.ts';
import { machineOf } from '../code/machine-of.ts';
import { isArg } from '../code/values.ts';
import type { FunctionTrace } from '../code/walk.ts';
import type { ProgramImage } from '../image.ts';
import { opensslVersion } from '../strings.ts';
import { findMethodFree } from './find-method-free.ts';
import { findMethods } from './find-methods.ts';
import { LAYOUTS, type MethodLayout } from './layouts.ts';
import { type OpenSslSites, siteForms } from './sites.ts';

export interface FoundFunction {
  readonly direction: 'read' | 'write';
  readonly entry: number;
  /** Position of the `size_t *` argument; absent in the plain shape, which returns the count. */
  readonly doneIndex?: number;
  /** The method table's function, which all others call. */
  readonly isMethod?: boolean;
}

export interface StaticOpenSsl {
  readonly functions: readonly FoundFunction[];
  readonly free: number;
}

export type StaticAnswer =
  | { readonly found: StaticOpenSsl; readonly why?: undefined }
  | { readonly found?: undefined; readonly why: string };

const INNER = { read: 'ssl_read_internal', write: 'ssl_write_internal' } as const;
const OUTER = { read: 'SSL_read', write: 'SSL_write' } as const;

export function findStaticOpenSsl(image: ProgramImage): StaticAnswer {
  const forms = siteForms(image, opensslVersion(image.elf, image.anchors()));
  let answer: StaticAnswer = { why: 'its error sites name no functions (before OpenSSL 1.1.1, or built without)' };
  for (const form of forms) {
    answer = findBySites(image, form());
    if (answer.found !== undefined) return answer;
  }
  return findByMethods(image, answer.why);
}

/** Where link-time optimisation has inlined the functions with the sites into the program's own. */
function findByMethods(image: ProgramImage, whyNotBySites: string): StaticAnswer {
  const { found, why } = findMethods(image.elf, new Functions(image.elf, machineOf(image.elf)));
  if (found === undefined) return { why: `${whyNotBySites}; ${why}` };
  const method = (direction: FoundFunction['direction']): FoundFunction => ({
    direction,
    entry: found[direction],
    doneIndex: 3,
    isMethod: true,
  });
  return { found: { functions: [method('read'), method('write')], free: found.free } };
}

function findBySites(image: ProgramImage, sites: OpenSslSites): StaticAnswer {
  const functions = new Functions(image.elf, machineOf(image.elf));
  functions.survey(sites.places);
  const { functions: traces, orphans } = functions.resolve(sites.places);
  const unplaced = orphans.filter(sites.matters).length;
  if (unplaced > 0) return { why: `${unplaced} error sites lie in no recognised function` };
  for (const layout of LAYOUTS) {
    const found = (['read', 'write'] as const).map((direction) => findDirection(traces, sites, direction, layout));
    const all = found.flatMap((f) => f ?? []);
    if (found.some((f) => f === undefined)) continue;
    const free = findMethodFree(image.elf, layout);
    return free === undefined ? { why: 'the method table is not found' } : { found: { functions: all, free } };
  }
  return { why: 'ssl_read_internal and ssl_write_internal were not understood in every place' };
}

/** All functions through which a direction's data goes; nothing when one of them is not understood. */
function findDirection(
  traces: readonly FunctionTrace[],
  sites: OpenSslSites,
  direction: FoundFunction['direction'],
  layout: MethodLayout,
): FoundFunction[] | undefined {
  const holders = traces.filter((trace) => sites.holds(trace, INNER[direction]));
  const found = holders.flatMap(
    (trace) => shapeOf(trace, direction, sites.holds(trace, OUTER[direction]), layout) ?? [],
  );
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
