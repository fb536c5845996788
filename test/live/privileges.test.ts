// The running tracer as seen from /proc: after attaching, every thread of it runs as the user who called sudo, with the
// capabilities that it said it keeps, no children, a private file mask, and no way back.
import { readdirSync, readFileSync, readlinkSync, statSync, symlinkSync } from 'node:fs';
import { expect } from 'vitest';
import { likelyPrograms } from '../../src/capture/live/program-files.ts';
import { DAEMON_UID, SUDO_BY_DAEMON } from '../kit/as-user.ts';
import { startNodeClient } from '../kit/clients.ts';
import { live, scratch } from '../kit/live.ts';
import { startService } from '../kit/service.ts';
import { Tracer } from '../kit/tracer.ts';

/** Bits of capabilities(7). */
const CAPABILITIES: Readonly<Record<string, bigint>> = {
  CAP_DAC_READ_SEARCH: 2n,
  CAP_SYS_PTRACE: 19n,
  CAP_SYS_ADMIN: 21n,
  CAP_PERFMON: 38n,
  CAP_BPF: 39n,
  CAP_CHECKPOINT_RESTORE: 40n,
};

const field = (status: string, name: string): string => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? '';

/** Of each thread; one that has ended since it was listed tells nothing. */
const ofThreads = (pid: number, file: string): string[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((tid) => {
    try {
      return [readFileSync(`/proc/${pid}/task/${tid}/${file}`, 'utf8')];
    } catch {
      return [];
    }
  });

const threadsOf = (pid: number): string[] => ofThreads(pid, 'status');
const childrenOf = (pid: number): string => ofThreads(pid, 'children').join('').trim();

const openFilesOf = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      return [];
    }
  });

/** What a capture may have open: its output, its recording, and what the kernel gave it. */
const EXPECTED_FILES =
  /^(?:pipe|socket|anon_inode):|^\/dev\/(?:null|pts\/\d+|tty|urandom)$|session\.trc$|^\/proc\/(?:self|\d+)\/|^\/sys\/kernel\/btf\/|\/build\/|\/work\/|node_modules|^anon_inode/;

live('every thread runs as the invoking user with the capabilities that were announced, and nothing else', async () => {
  await using service = await startService();
  using dir = scratch();
  await using client = await startNodeClient('node-https', service, { workload: 'one' });
  await using tracer = await Tracer.attachAs(SUDO_BY_DAEMON, client.pid, '--record', dir.path('session.trc'));
  const announced = /running as daemon with (.*)/.exec(await tracer.process.errorLine('attached'))?.[1] ?? '';
  const kept = announced.match(/CAP_[A-Z_]+/g) ?? [];
  const threads = threadsOf(tracer.pid);
  expect(threads.length).toBeGreaterThan(1);
  const mask = kept.reduce((bits, name) => bits | (1n << (CAPABILITIES[name] ?? -1n)), 0n);
  for (const status of threads) {
    expect(field(status, 'Uid')).toBe(Array(4).fill(DAEMON_UID).join('\t'));
    expect(field(status, 'Gid')).toBe(Array(4).fill(DAEMON_UID).join('\t'));
    expect(BigInt(`0x${field(status, 'CapEff')}`)).toBe(mask);
    expect(BigInt(`0x${field(status, 'CapPrm')}`)).toBe(mask);
    expect(BigInt(`0x${field(status, 'CapInh')}`)).toBe(0n);
    expect(BigInt(`0x${field(status, 'CapAmb')}`)).toBe(0n);
    expect(field(status, 'NoNewPrivs')).toBe('1');
  }
  client.go();
  await tracer.end();
});

live('it has no child process, a file mask of 077, and open only what a capture needs', async () => {
  await using service = await startService();
  using dir = scratch();
  await using client = await startNodeClient('node-https', service, { workload: 'one' });
  await using tracer = await Tracer.attachAs(SUDO_BY_DAEMON, client.pid, '--record', dir.path('session.trc'));
  expect(childrenOf(tracer.pid)).toBe('');
  expect(field(readFileSync(`/proc/${tracer.pid}/status`, 'utf8'), 'Umask')).toBe('0077');
  const files = openFilesOf(tracer.pid);
  expect(files.some((file) => file.endsWith('session.trc'))).toBe(true);
  // Browsers and editors are looked into ahead of their start.
  const ahead = likelyPrograms(process.env['PATH'] ?? '');
  const others = files.filter((file) => !ahead.includes(file));
  expect(others.filter((file) => /\/mem$|shadow|\.ssh/.test(file) || !EXPECTED_FILES.test(file))).toEqual([]);
  expect(statSync(dir.path('session.trc')).mode & 0o777).toBe(0o600);
  client.go();
  await tracer.end();
});

live('a symbolic link in the place of a recording is refused', async () => {
  await using service = await startService();
  using dir = scratch();
  await using client = await startNodeClient('node-https', service, { workload: 'one' });
  symlinkSync(dir.path('elsewhere'), dir.path('link.trc'));
  const tracer = Tracer.start('attach', '--pid', String(client.pid), '--record', dir.path('link.trc'));
  const run = await tracer.end();
  expect([run.exitCode, run.stderr.includes('it is a symbolic link')]).toEqual([30, true]);
  client.go();
});
