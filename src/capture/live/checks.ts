// What this machine and our rights must offer before tracing can work. `tracer doctor` prints all of these, a start-up
// fails on the first that is needed and not met: one list for both.

import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { release } from 'node:os';
import { TracerError } from '../../errors.ts';
import { addonPath, objectPath } from './parts.ts';

/** One line of `tracer doctor`. `error` is what a start-up throws when the check is needed and not ok. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  /** What was seen. */
  readonly seen: string;
  /** True when tracing works without it, in a reduced way that `seen` explains. */
  readonly optional: boolean;
  readonly error: TracerError | null;
}

/** Bits of the capabilities that loading and attaching need (linux/capability.h). */
const CAPABILITY_BITS = {
  CAP_SYS_PTRACE: 19,
  CAP_SYS_ADMIN: 21,
  CAP_PERFMON: 38,
  CAP_BPF: 39,
  CAP_CHECKPOINT_RESTORE: 40,
} as const;
export type CapabilityName = keyof typeof CAPABILITY_BITS;

const OLDEST_KERNEL = [5, 8] as const;

/** Effective capabilities of this process that matter here. */
export function effectiveCapabilities(): ReadonlySet<CapabilityName> {
  const line = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'));
  const mask = BigInt(`0x${line?.[1] ?? '0'}`);
  const names = Object.keys(CAPABILITY_BITS) as CapabilityName[];
  return new Set(names.filter((name) => (mask >> BigInt(CAPABILITY_BITS[name])) & 1n));
}

/** `[major, minor]` of a release string such as `6.18.44-1-amd64`. */
export function kernelVersion(text: string): readonly [number, number] {
  const match = /^(\d+)\.(\d+)/.exec(text);
  return [Number(match?.[1] ?? 0), Number(match?.[2] ?? 0)];
}

export function isAtLeast(version: readonly [number, number], least: readonly [number, number]): boolean {
  return version[0] > least[0] || (version[0] === least[0] && version[1] >= least[1]);
}

/**
 * Before Linux 6.10 a multi-uprobe link for one process fired for that thread alone (mended by "fix multi-uprobe PID
 * filtering logic"): a program with several threads would lose most of its calls.
 */
const PER_PROCESS_KERNEL = [6, 10] as const;

/** True where probes can be put into one process only. */
export const filtersByProcess = (kernel = release()): boolean => isAtLeast(kernelVersion(kernel), PER_PROCESS_KERNEL);

function checkKernel(): Check {
  const text = release();
  const ok = isAtLeast(kernelVersion(text), OLDEST_KERNEL);
  const error = ok ? null : new TracerError('E_PLACE_OLD_KERNEL', { release: text });
  return { name: 'kernel', ok, seen: ok ? text : `${text} (5.8 or newer is needed)`, optional: false, error };
}

function checkRights(command: string): Check {
  const have = effectiveCapabilities();
  // CAP_SYS_ADMIN includes the others' powers on kernels before 5.8's split, and perf-event uprobes ask for it.
  const missing = (['CAP_SYS_ADMIN', 'CAP_BPF', 'CAP_PERFMON', 'CAP_SYS_PTRACE'] as const).filter(
    (name) => !have.has(name),
  );
  const ok = missing.length === 0;
  const error = ok ? null : new TracerError('E_PLACE_RIGHTS', { missing: missing.join(', '), command });
  return {
    name: 'rights',
    ok,
    seen: ok ? 'all capabilities that attaching needs' : `missing ${missing.join(', ')}`,
    optional: false,
    error,
  };
}

function checkBtf(isNeeded: boolean): Check {
  const ok = existsSync('/sys/kernel/btf/vmlinux');
  const error = !ok && isNeeded ? new TracerError('E_PLACE_NO_BTF') : null;
  const seen = ok ? '/sys/kernel/btf/vmlinux' : 'absent: processes can be traced, new children cannot be followed';
  return { name: 'type information', ok, seen, optional: true, error };
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function checkParts(): Check {
  const missing = [objectPath(true), objectPath(false), addonPath()].filter((path) => !isReadable(path));
  const ok = missing.length === 0;
  const error = ok ? null : new TracerError('E_PLACE_NOT_BUILT', { what: missing.join(', ') });
  return {
    name: 'built parts',
    ok,
    seen: ok ? 'BPF object and addon' : `missing ${missing.join(', ')}`,
    optional: false,
    error,
  };
}

function checkLockdown(): Check {
  const path = '/sys/kernel/security/lockdown';
  const mode = isReadable(path) ? (/\[(\w+)\]/.exec(readFileSync(path, 'utf8'))?.[1] ?? 'none') : 'none';
  const ok = mode !== 'confidentiality';
  const error = ok ? null : new TracerError('E_PLACE_LOAD', { reason: 'kernel lockdown is in confidentiality mode' });
  return { name: 'lockdown', ok, seen: mode, optional: false, error };
}

/** All checks, in the order in which a user should mend them. */
export function runChecks(options: { readonly command: string; readonly followChildren: boolean }): readonly Check[] {
  return [checkParts(), checkKernel(), checkRights(options.command), checkLockdown(), checkBtf(options.followChildren)];
}

/** Throws the error of the first check that is not met. */
export function requireChecks(options: { readonly command: string; readonly followChildren: boolean }): void {
  for (const check of runChecks(options)) if (check.error !== null) throw check.error;
}
