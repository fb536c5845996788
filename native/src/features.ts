// What this kernel and this process can do, found out by trying.
import { existsSync, readFileSync } from 'node:fs';
import { release } from 'node:os';
import { binding } from './binding.ts';
import type { Capability } from './capabilities.ts';
import { parseStatus } from './privileges.ts';

/** Whether a thing really works here, and otherwise why not. */
export interface Feature {
  readonly ok: boolean;
  readonly why?: string;
}

export interface Features {
  /** As in `uname -r`. */
  readonly kernelRelease: string;
  /** `[6, 18]` of `6.18.44-…`. */
  readonly kernelVersion: readonly [major: number, minor: number];
  /** The kernel's own type information at /sys/kernel/btf/vmlinux, which CO-RE programs need. */
  readonly btf: Feature;
  /** Effective capabilities of the calling thread. */
  readonly capabilities: readonly Capability[];
  /** `none`, `integrity` (restricts reading memory from BPF on some kernels), `confidentiality` (forbids it), or unknown. */
  readonly lockdown: 'none' | 'integrity' | 'confidentiality' | 'unknown';
  readonly ringBuffer: Feature;
  /** Uprobes through perf events. */
  readonly uprobe: Feature;
  /** Multi-uprobe links. */
  readonly uprobeMulti: Feature;
  /** Cookies of perf event links, read back by the program. */
  readonly bpfCookie: Feature;
  readonly rawTracepoint: Feature;
}

const BTF_PATH = '/sys/kernel/btf/vmlinux';
const LOCKDOWN_PATH = '/sys/kernel/security/lockdown';

const versionOf = (kernelRelease: string): [number, number] => {
  const [, major = '0', minor = '0'] = /^(\d+)\.(\d+)/.exec(kernelRelease) ?? [];
  return [Number(major), Number(minor)];
};

/** The file holds all modes with the present one in brackets: `none [integrity] confidentiality`. */
export const parseLockdown = (text: string): Features['lockdown'] => {
  const mode = /\[(\w+)\]/.exec(text)?.[1];
  return mode === 'none' || mode === 'integrity' || mode === 'confidentiality' ? mode : 'unknown';
};

const readLockdown = (): Features['lockdown'] => {
  // Absent: the kernel was built without it, or securityfs is not mounted. An unreadable one is unknown.
  if (!existsSync(LOCKDOWN_PATH)) return existsSync('/sys/kernel/security/lsm') ? 'none' : 'unknown';
  try {
    return parseLockdown(readFileSync(LOCKDOWN_PATH, 'utf8'));
  } catch {
    return 'unknown';
  }
};

const probe = (name: string): Feature => {
  const failure = binding.probeFeature(name);
  return failure ? { ok: false, why: `${failure.detail} (${failure.code})` } : { ok: true };
};

/**
 * Tries each feature with a tiny program of its own; nothing stays behind. Detaching makes it take a few tenths of a second,
 * in which the event loop stands still. Never throws: what is not allowed to this process is reported as not working, with
 * the reason.
 */
export const features = (): Features => ({
  kernelRelease: release(),
  kernelVersion: versionOf(release()),
  btf: existsSync(BTF_PATH) ? { ok: true } : { ok: false, why: `${BTF_PATH} is absent (CONFIG_DEBUG_INFO_BTF)` },
  capabilities: parseStatus(0, readFileSync('/proc/thread-self/status', 'utf8')).effective,
  lockdown: readLockdown(),
  ringBuffer: probe('ringBuffer'),
  uprobe: probe('uprobe'),
  uprobeMulti: probe('uprobeMulti'),
  bpfCookie: probe('bpfCookie'),
  rawTracepoint: probe('rawTracepoint'),
});
