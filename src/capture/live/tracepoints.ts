// Which tracepoints this kernel has, by its type information: every one has a type `btf_trace_NAME` there (bpf_probe.h), also
// where a distribution brought it to an older kernel. Attaching tells as well, but only once the program is loaded.

import { readFileSync } from 'node:fs';

/** False without type information: what rests on it cannot be loaded then anyway. */
export function hasTracepoint(name: string, btfPath = '/sys/kernel/btf/vmlinux'): boolean {
  try {
    return readFileSync(btfPath).includes(`\0btf_trace_${name}\0`);
  } catch {
    return false;
  }
}
