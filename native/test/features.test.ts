import { existsSync } from 'node:fs';
import { release } from 'node:os';
import { expect, test } from 'vitest';
import { namesOf } from '../src/capabilities.ts';
import { parseLockdown } from '../src/features.ts';
import { features } from '../src/index.ts';
import { describeAsRoot, runChild } from './kit.ts';

test('lockdown is the mode in brackets', () => {
  expect(parseLockdown('none [integrity] confidentiality\n')).toBe('integrity');
  expect(parseLockdown('[none] integrity confidentiality\n')).toBe('none');
  expect(parseLockdown('')).toBe('unknown');
});

test('capabilities have the names of their bits', () => {
  expect(namesOf(1n << 39n)).toEqual(['CAP_BPF']);
  expect(namesOf((1n << 38n) | (1n << 19n) | (1n << 21n))).toEqual(['CAP_SYS_PTRACE', 'CAP_SYS_ADMIN', 'CAP_PERFMON']);
  expect(namesOf(1n << 60n)).toEqual([]);
});

describeAsRoot('features', () => {
  test('tell what this kernel does: what its version promises must work', () => {
    const found = features();
    const [major, minor] = found.kernelVersion;
    const isAtLeast = (wantedMajor: number, wantedMinor: number): boolean =>
      major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
    expect(found.kernelRelease).toBe(release());
    expect(found.btf.ok).toBe(existsSync('/sys/kernel/btf/vmlinux'));
    expect(found.capabilities).toEqual(expect.arrayContaining(['CAP_BPF', 'CAP_PERFMON', 'CAP_SYS_ADMIN']));
    expect([found.uprobe, found.rawTracepoint]).toEqual([{ ok: true }, { ok: true }]);
    expect(found.ringBuffer.ok).toBe(isAtLeast(5, 8));
    expect(found.bpfCookie.ok).toBe(isAtLeast(5, 15));
    expect(found.uprobeMulti.ok).toBe(isAtLeast(6, 6));
  });

  test('without rights everything is reported as not working, with the reason', () => {
    const code = `
      api.dropPrivileges({ uid: 65534, gid: 65534, groups: [], keep: [] });
      const { capabilities, ringBuffer, uprobe, uprobeMulti, bpfCookie, rawTracepoint } = api.features();
      console.log(JSON.stringify({ capabilities, ringBuffer, uprobe, uprobeMulti, bpfCookie, rawTracepoint }));`;
    const { stdout, stderr } = runChild(code);
    expect(stderr).toBe('');
    const refused = (why: string) => ({ ok: false, why: `${why} (EPERM)` });
    expect(JSON.parse(stdout)).toEqual({
      capabilities: [],
      ringBuffer: refused('cannot create a ring buffer (kernel 5.8 or later)'),
      uprobe: refused('cannot create a map'),
      uprobeMulti: refused('cannot create a map'),
      bpfCookie: refused('cannot create a map'),
      rawTracepoint: refused('cannot load a program'),
    });
  });
});
