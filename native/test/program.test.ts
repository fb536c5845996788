import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { ATTACH_TYPE, BpfObject, closeLinks, enableStats } from '../src/index.ts';
import { asU64, bpfObject, describeAsRoot, libcPath, Target, targetOffset, targetPath, u32 } from './kit.ts';

const HITS = 0;
const COOKIE = 1;
const RETURNS = 4;
const count = (object: BpfObject, index: number): bigint => asU64(object.map('counts').get(u32(index)));

describeAsRoot('attaching', () => {
  test('a uprobe fires once per call with its whole 64-bit cookie, and stops when its link is closed', async () => {
    await using object = BpfObject.open(bpfObject('probe')).load();
    const target = new Target();
    const cookie = 0xfedcba9876543210n;
    const link = object
      .program('on_enter')
      .attachUprobe({ path: targetPath(), symbol: 'alpha', pid: target.pid, cookie });
    await target.run('02b');
    expect([count(object, HITS), count(object, COOKIE)]).toEqual([101n, cookie]);
    link.close();
    link.close();
    expect(link.isClosed).toBe(true);
    await target.run('2');
    expect(count(object, HITS)).toBe(101n);
    await target.end();
  });

  test('an offset does the same as its symbol, as number and as bigint', async () => {
    await using object = BpfObject.open(bpfObject('probe')).load();
    const target = new Target();
    const place = { path: targetPath(), pid: target.pid };
    object.program('on_enter').attachUprobe({ ...place, offset: targetOffset('alpha') });
    object.program('on_enter').attachUprobe({ ...place, offset: BigInt(targetOffset('beta')) });
    await target.run('1b');
    expect(count(object, HITS)).toBe(11n);
    await target.end();
  });

  test('a return probe fires when the function returns', async () => {
    await using object = BpfObject.open(bpfObject('probe')).load();
    const target = new Target();
    object.program('on_return').attachUprobe({ path: targetPath(), symbol: 'alpha', pid: target.pid, retprobe: true });
    await target.run('2');
    expect([count(object, RETURNS), count(object, HITS)]).toEqual([100n, 0n]);
    await target.end();
  });

  test('without a pid it fires in processes that start later', async () => {
    await using object = BpfObject.open(bpfObject('probe')).load();
    object.program('on_enter').attachUprobe({ path: targetPath(), symbol: 'beta' });
    const target = new Target();
    await target.run('b');
    expect(count(object, HITS)).toBe(1n);
    await target.end();
  });

  test('a shared library is probed by its dynamic symbol', async () => {
    await using object = BpfObject.open(bpfObject('probe'), { rodata: { wanted_pid: process.pid } }).load();
    object.program('on_enter').attachUprobe({ path: libcPath(), symbol: 'getppid', pid: process.pid });
    for (let i = 0; i < 5; i++) expect(process.ppid).toBeGreaterThan(0);
    expect(count(object, HITS)).toBe(5n);
  });

  test('one multi-uprobe link covers several places, each with its cookie', async () => {
    await using object = BpfObject.open(bpfObject('probe'), {
      attachTypes: { on_multi: ATTACH_TYPE.uprobeMulti },
    }).load();
    const target = new Target();
    const offsets = [targetOffset('alpha'), BigInt(targetOffset('beta'))];
    const link = object
      .program('on_multi')
      .attachUprobeMulti({ path: targetPath(), offsets, cookies: [70n, 71n], pid: target.pid });
    await target.run('1bb');
    const hash = object.map('hash');
    expect([asU64(hash.get(u32(70))), asU64(hash.get(u32(71)))]).toEqual([10n, 2n]);
    link.close();
    await target.run('1b');
    expect(asU64(hash.get(u32(70)))).toBe(10n);
    await target.end();
  });

  test('a multi-uprobe return link and one without pid or cookies work as well', async () => {
    await using object = BpfObject.open(bpfObject('probe'), {
      attachTypes: { on_multi: ATTACH_TYPE.uprobeMulti },
    }).load();
    const target = new Target();
    object
      .program('on_multi')
      .attachUprobeMulti({ path: targetPath(), offsets: [targetOffset('alpha')], retprobe: true });
    await target.run('1');
    expect(asU64(object.map('hash').get(u32(0)))).toBe(10n);
    await target.end();
  });

  test('a raw tracepoint fires', async () => {
    await using object = BpfObject.open(bpfObject('probe')).load();
    object.program('on_exec').attachRawTracepoint('sched_process_exec');
    execFileSync('true');
    expect(count(object, HITS)).toBeGreaterThan(0n);
  });

  test('closing the object detaches', async () => {
    const object = BpfObject.open(bpfObject('probe')).load();
    const link = object.program('on_enter').attachUprobe({ path: targetPath(), symbol: 'alpha' });
    object.close();
    expect(link.isClosed).toBe(true);
  });

  test('many links are closed together without holding up the event loop, closed ones among them', async () => {
    await using object = BpfObject.open(bpfObject('probe'), {
      attachTypes: { on_multi: ATTACH_TYPE.uprobeMulti },
    }).load();
    const target = new Target();
    const place = { path: targetPath(), offsets: [targetOffset('alpha')], cookies: [1n], pid: target.pid };
    const links = Array.from({ length: 10 }, () => object.program('on_multi').attachUprobeMulti(place));
    await target.run('0');
    links[0]!.close();
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await Promise.all([closeLinks(links), closeLinks(links)]);
    clearInterval(timer);
    expect(links.every((link) => link.isClosed)).toBe(true);
    expect(turns).toBeGreaterThan(0);
    await target.run('1');
    expect(asU64(object.map('hash').get(u32(1)))).toBe(10n);
    await target.end();
  });

  test('statistics count runs and time while they are enabled', async () => {
    await using object = BpfObject.open(bpfObject('probe')).load();
    const target = new Target();
    const program = object.program('on_enter');
    program.attachUprobe({ path: targetPath(), symbol: 'alpha', pid: target.pid });
    const stats = enableStats();
    await target.run('2');
    stats.close();
    expect(program.stats().runCount).toBe(100n);
    expect(program.stats().runTimeNs).toBeGreaterThan(0n);
    await target.end();
  });

  test.each([
    ['a file that is absent', { path: '/nowhere', offset: 16 }, 'ENOENT'],
    ['a symbol that is absent', { path: targetPath(), symbol: 'no_such_function' }, 'ENOENT'],
    ['a process that is absent', { path: targetPath(), symbol: 'alpha', pid: 2 ** 22 + 1 }, 'ESRCH'],
    ['an offset behind the file', { path: targetPath(), offset: 2n ** 40n }, 'EINVAL'],
  ])('%s is an error with a code', async (_, spec, code) => {
    await using object = BpfObject.open(bpfObject('probe')).load();
    expect(() => object.program('on_enter').attachUprobe(spec)).toThrow(
      expect.objectContaining({ code, operation: 'program.attachUprobe', hint: expect.stringMatching(/./) }),
    );
  });

  test('a multi-uprobe on a program of another attach type is EINVAL with the remedy', async () => {
    await using object = BpfObject.open(bpfObject('probe')).load();
    expect(() =>
      object.program('on_multi').attachUprobeMulti({ path: targetPath(), offsets: [targetOffset('alpha')] }),
    ).toThrow(expect.objectContaining({ code: 'EINVAL', hint: expect.stringContaining('attach type') }));
  });

  test('tracepoints that do not exist are errors', async () => {
    await using object = BpfObject.open(bpfObject('probe')).load();
    expect(() => object.program('on_exec').attachRawTracepoint('no_such_point')).toThrow(
      expect.objectContaining({ code: 'ENOENT' }),
    );
    expect(() => object.program('on_exec').attachTracepoint('no', 'such')).toThrow(
      expect.objectContaining({ operation: 'program.attachTracepoint', code: 'ENOENT' }),
    );
  });
});
