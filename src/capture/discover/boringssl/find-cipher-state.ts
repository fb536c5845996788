// Where a stripped BoringSSL keeps the state of its record layer's cipher, whose first word leads to the cipher suite:
//
//     ssl→s3→{ …, aead_read_ctx, aead_write_ctx, hs, … }      SSLAEADContext { const SSL_CIPHER *cipher; … }
//
// The three pointers lie side by side. What opens records looks into the first of them, what writes them into the second
// (`cipher` is NULL while nothing is encrypted), and the handshake that follows is the only large object around. Exactly one
// place must look like that; whether it is the right one shows at run time, when the suite must be a known one.

import type { FactChain } from '../../targets/target.ts';
import type { Functions } from '../code/functions.ts';
import { isArg, type Value } from '../code/values.ts';
import type { MethodTable } from './find-method-table.ts';

/** `SSL_CIPHER.id`, behind two names, since 2018. */
const CIPHER_ID = 0x10;
const WORD = 8;
/** A buffer, which also stands in rows of three, has fields in its first words only; SSL_HANDSHAKE is some 2 KiB long. */
const MIN_HANDSHAKE_FIELD = 0x100;
/** tls_open_app_data, the opening of a record, and one step more where the alert or the handshake is a function of its own. */
const MAX_DEPTH = 3;
const MAX_FUNCTIONS = 64;

/** The way from the TLS object to the cipher suite's number. */
export function findCipherState(table: MethodTable, functions: Functions): FactChain | undefined {
  const opening = fieldsUsed(table.openAppData, functions);
  const writing = fieldsUsed(table.writeAppData, functions);
  const fits = [...opening.values()].filter(
    ({ s3, field, disps }) =>
      disps.has(0) &&
      writing.get(keyOf(s3, field + WORD))?.disps.has(0) &&
      [opening, writing].some((used) => isHandshake(used.get(keyOf(s3, field + 2 * WORD)))),
  );
  const [only, ...others] = fits;
  return only === undefined || others.length > 0 ? undefined : [only.s3, only.field, 0, CIPHER_ID];
}

/** An object behind `[[ssl + s3] + field]`, and where it was read. */
interface Used {
  readonly s3: number;
  readonly field: number;
  readonly disps: Set<number>;
}

const keyOf = (s3: number, field: number): string => `${s3}/${field}`;

const isHandshake = (used: Used | undefined): boolean =>
  [...(used?.disps ?? [])].some((disp) => disp >= MIN_HANDSHAKE_FIELD);

/** By the function and those that it hands its TLS object to. */
function fieldsUsed(entry: number, functions: Functions): ReadonlyMap<string, Used> {
  const used = new Map<string, Used>();
  const seen = new Set([entry]);
  let level = [entry];
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    const next: number[] = [];
    for (const at of level) {
      const { loads, calls } = functions.trace(at);
      for (const { base, disp } of loads) note(used, base, disp);
      for (const { target, args } of calls) {
        if (target === undefined || !isArg(args[0], 0) || seen.has(target) || seen.size >= MAX_FUNCTIONS) continue;
        seen.add(target);
        next.push(target);
      }
    }
    level = next;
  }
  return used;
}

function note(used: Map<string, Used>, base: Value, disp: number): void {
  if (base.kind !== 'load' || base.base.kind !== 'load' || !isArg(base.base.base, 0)) return;
  const [s3, field] = [base.base.disp, base.disp];
  const key = keyOf(s3, field);
  const known = used.get(key) ?? { s3, field, disps: new Set<number>() };
  used.set(key, known);
  known.disps.add(disp);
}
