// The attach cookie: what a probe tells its program about the function it sits on (bpf/tables.h draws the bits).

import {
  COOKIE_BUF_SHIFT,
  COOKIE_CHECK_METHOD_SHIFT,
  COOKIE_DONE_SHIFT,
  COOKIE_FACTS_SHIFT,
  COOKIE_LEN_SHIFT,
  COOKIE_METHOD_SHIFT,
  COOKIE_YIELDS_SHIFT,
} from '../../record/index.ts';
import type { Hook } from '../targets/target.ts';

const at = (value: number, shift: number): bigint => BigInt(value) << BigInt(shift);

/** To be added for a probe that is silent in processes which have their own. */
export const YIELDING: bigint = at(1, COOKIE_YIELDS_SHIFT);

/** `id` numbers the hook in this session (32 bits), `factLayout` the way to its library's facts (8 bits, 0: none). An argument
 * position of 0 means the role's default. */
export function packCookie(id: number, hook: Hook, factLayout = 0): bigint {
  const { args, methodLow12 } = hook;
  // A span role gets its output pair where other roles get their buffer.
  const buf = args?.out ?? args?.buf ?? 0;
  const positions =
    at(buf, COOKIE_BUF_SHIFT) | at(args?.len ?? 0, COOKIE_LEN_SHIFT) | at(args?.done ?? 0, COOKIE_DONE_SHIFT);
  const method =
    methodLow12 === undefined ? 0n : at(1, COOKIE_CHECK_METHOD_SHIFT) | at(methodLow12, COOKIE_METHOD_SHIFT);
  return BigInt(id) | positions | at(factLayout, COOKIE_FACTS_SHIFT) | method;
}
