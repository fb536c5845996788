// Hides the kernel's type information from the rest of the run, as if the kernel had been built without it.
import { execFileSync } from 'node:child_process';

export function hideBtf(): void {
  execFileSync('busybox', ['mount', '-t', 'tmpfs', 'none', '/sys/kernel/btf']);
}
