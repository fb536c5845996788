import { describe, expect, it } from 'vitest';
import { parseCmdline, readProcess } from '../../../src/capture/proc/process-facts.ts';
import { START_TOLERANCE_NS } from '../../../src/capture/proc/start-time.ts';
import { startSleeper } from '../../kit/running.ts';

describe('the facts of a process', () => {
  it('parts arguments at NUL, or at spaces where the process rewrote its own', () => {
    expect(parseCmdline(Buffer.from('node\0a b\0\0c\0'))).toEqual(['node', 'a b', '', 'c']);
    expect(parseCmdline(Buffer.from('/opt/code --type=gpu-process --x\0\0\0'))).toEqual([
      '/opt/code',
      '--type=gpu-process',
      '--x',
    ]);
    expect(parseCmdline(Buffer.from('my program\0'))).toEqual(['my program']);
    expect(parseCmdline(Buffer.alloc(0))).toEqual([]);
  });

  it('tells who a child is and when it started', async () => {
    const before = process.hrtime.bigint();
    using sleeper = await startSleeper();
    const facts = readProcess(sleeper.pid);
    if (!facts.ok) throw new Error(facts.detail);
    expect(facts.value).toMatchObject({
      pid: sleeper.pid,
      parentPid: process.pid,
      args: ['sleep', '60'],
      isKernelThread: false,
    });
    expect(facts.value.exe).toMatch(/\/(sleep|coreutils|busybox)$/);
    expect(facts.value.startNs).toBeGreaterThan(before - START_TOLERANCE_NS);
    expect(facts.value.startNs).toBeLessThan(process.hrtime.bigint() + START_TOLERANCE_NS);
  });

  it('knows a kernel thread', (context) => {
    const facts = readProcess(2);
    if (!facts.ok || facts.value.comm !== 'kthreadd') return context.skip('pid 2 is no kernel thread here (container)');
    expect(facts.value).toMatchObject({ isKernelThread: true, exe: '', args: [] });
  });

  it('answers "gone" when there is no such process', () => {
    expect(readProcess(4194305)).toMatchObject({ ok: false, why: 'gone' });
  });
});
