// What the kernel offers beyond the least that tracing needs, and what each thing is good for; tried, not guessed from
// version numbers.

import { features } from '@ebpf-tools/node';
import { filtersByProcess } from './checks.ts';

export interface KernelFeature {
  readonly name: string;
  readonly ok: boolean;
  readonly seen: string;
  /** What does not work without it. */
  readonly without: string;
}

export function kernelFeatures(): readonly KernelFeature[] {
  const found = features();
  const row = (
    name: string,
    probe: { readonly ok: boolean; readonly why?: string },
    without: string,
  ): KernelFeature => ({
    name,
    ok: probe.ok,
    seen: probe.ok ? 'works' : (probe.why ?? 'does not work'),
    without,
  });
  return [
    row('ring buffer', found.ringBuffer, 'nothing can be captured'),
    row('uprobes', found.uprobe, 'nothing can be captured'),
    row('raw tracepoints', found.rawTracepoint, 'new children are not followed'),
    row(
      'attach cookies',
      found.bpfCookie,
      'what a TLS handshake agreed on is not told, nor which hook gave what (kernel 5.15 adds them)',
    ),
    row(
      'uprobe-multi links',
      found.uprobeMulti,
      'CAP_SYS_ADMIN is kept to hook libraries that appear later (kernel 6.6 adds them)',
    ),
    row(
      'per-process probes',
      found.uprobeMulti.ok && !filtersByProcess() ? { ok: false } : found.uprobeMulti,
      'every process that maps a hooked library pays for its probes (kernel 6.10 mends them)',
    ),
  ];
}
