// BoringSSL's record level, with the positions of arguments.

import type { HookSpec } from './hooks.ts';

export const OPEN: HookSpec = { symbol: 'tls_open_app_data', role: 'open', args: { out: 1 } };
export const SEAL: HookSpec = { symbol: 'tls_write_app_data', role: 'seal', args: { done: 2, buf: 3, len: 4 } };
/** Until 2022. */
export const SEAL_OLD: HookSpec = { symbol: 'tls_write_app_data', role: 'seal_old', args: { buf: 2, len: 3 } };
