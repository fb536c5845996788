// The kernel's statistics of BPF run time: off by default, because they cost two clock reads per run.
import { binding } from './binding.ts';
import { unwrap } from './error.ts';
import { Link } from './link.ts';

/**
 * Has the kernel count runs and run time of all programs (BPF_ENABLE_STATS, kernel 5.8 or later) until the result is closed.
 * Read them with {@link Program.stats}. Needs CAP_SYS_ADMIN.
 */
export const enableStats = (): Link => new Link(unwrap(binding.enableStats()), () => {});
