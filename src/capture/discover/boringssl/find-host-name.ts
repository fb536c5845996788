// SSL_set_tlsext_host_name: the function with reason 213 (invalid server name) that measures or copies its second argument
// and stores into the object.

import { isArg } from '../code/values.ts';
import { hasReason, type LibraryCopy, REASON, type SitedFunction } from './sites.ts';

/** Fields of SSL lie below this. */
const MAX_FIELD = 0x200;

export function findSetHostName(copy: LibraryCopy): number | undefined {
  const hits = copy.sslLib.filter((f) => hasReason(f, REASON.invalidServerName) && worksOnName(f));
  const pure = hits.filter((f) =>
    f.sites.every((s) => s.reason === REASON.invalidServerName || s.reason === REASON.mallocFailure),
  );
  const [only, ...others] = hits.length > 1 && pure.length > 0 ? pure : hits;
  return others.length === 0 ? only?.trace.entry : undefined;
}

function worksOnName({ trace }: SitedFunction): boolean {
  const readsObject = trace.loads.some((l) => isArg(l.base, 0) && l.disp >= 0 && l.disp < MAX_FIELD);
  const takesName = trace.calls.some((c) => isArg(c.args[0], 1));
  return readsObject && takesName && trace.stores.some((s) => isArg(s.base, 0));
}
