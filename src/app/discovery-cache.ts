// Where findings of large programs are kept between runs: the caller's cache directory. Made and written with the caller's
// rights, root's never reach into a home.

import { join } from 'node:path';
import type { CacheOptions } from '../capture/index.ts';
import { callerUid, homeOf, lookUpUser } from './identity.ts';

export function callersCache(): CacheOptions {
  const uid = callerUid(process.env);
  return {
    directory: join(homeOf(uid).home, '.cache', 'ebpf-tracer', 'discovery'),
    owner: lookUpUser(String(uid), 'attach'),
  };
}
