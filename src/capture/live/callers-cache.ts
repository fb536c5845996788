// The findings cache of whoever called, used while we may still be root: every access is made with the caller's rights, so
// that no link or directory in a home can lead root's hand anywhere.

import { type CacheOptions, type FindingsCache, openFindingsCache } from '../discover/cache.ts';

/** Runs `body` with the file rights of `owner`. Synchronous: nothing else of this process runs meanwhile. */
function asOwner<T>(owner: CacheOptions['owner'], body: () => T): T {
  if (owner === undefined || owner.uid === 0 || process.geteuid?.() !== 0) return body();
  const gid = process.getegid?.() ?? 0;
  process.setegid?.(owner.gid);
  process.seteuid?.(owner.uid);
  try {
    return body();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(gid);
  }
}

export function openCallersCache(options: CacheOptions): FindingsCache {
  const cache = openFindingsCache({ directory: options.directory });
  return {
    get: (elf) => asOwner(options.owner, () => cache.get(elf)),
    put: (elf, findings) => asOwner(options.owner, () => cache.put(elf, findings)),
  };
}
