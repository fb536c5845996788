import { expect, test } from 'vitest';
import { dropPrivileges, threadCredentials } from '../src/index.ts';
import { parseStatus } from '../src/privileges.ts';
import { describeAsRoot, runChild } from './kit.ts';

test('reads the credentials out of a status file', () => {
  const status =
    'Name:\tnode\nUid:\t1000\t1001\t1002\t1003\nGid:\t5\t5\t5\t5\nGroups:\t4 24 \nCapPrm:\t000000c000000000\nCapEff:\t0000008000000000\nNoNewPrivs:\t1\n';
  expect(parseStatus(7, status)).toEqual({
    tid: 7,
    uid: [1000, 1001, 1002, 1003],
    gid: [5, 5, 5, 5],
    groups: [4, 24],
    permitted: ['CAP_PERFMON', 'CAP_BPF'],
    effective: ['CAP_BPF'],
    noNewPrivs: true,
  });
});

test('a thread without supplementary groups has none', () => {
  expect(parseStatus(1, 'Groups:\t \nNStgid:\t5\n').groups).toEqual([]);
});

test('ids and names are checked before anything is changed', () => {
  const before = threadCredentials()[0];
  expect(() => dropPrivileges({ uid: -1, gid: 0, groups: [], keep: [] })).toThrow(RangeError);
  expect(() => dropPrivileges({ uid: 2 ** 32 - 1, gid: 0, groups: [], keep: [] })).toThrow(RangeError);
  expect(() => dropPrivileges({ uid: 1, gid: 1, groups: [0.5], keep: [] })).toThrow(RangeError);
  expect(() => dropPrivileges({ uid: 1, gid: 1, groups: [], keep: ['CAP_NONE' as 'CAP_BPF'] })).toThrow(
    "'CAP_NONE' is not a capability",
  );
  expect(threadCredentials()[0]).toEqual(before);
});

/** A process with workers, pool threads, the debugger's threads and a ring; then it drops all but three capabilities. */
const SETUP = `
  import fs from 'node:fs';
  import { Worker } from 'node:worker_threads';
  import inspector from 'node:inspector';
  await Promise.all(Array.from({ length: 8 }, () => fs.promises.readFile('/proc/self/stat')));
  inspector.open(0, '127.0.0.1');
  const workers = Array.from({ length: 3 }, () => new Worker('setInterval(() => {}, 1000)', { eval: true }));
  await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('online', resolve))));
  const libc = /\\S+\\/libc\\.so\\.6$/m.exec(fs.readFileSync('/proc/self/maps', 'utf8'))[0];
  const object = api.BpfObject.open(objectPath, { attachTypes: { emit_small: 48 } }).load();
  let records = 0;
  const ring = new api.RingBuffer(object.map('ring'), { onBatch: (batch) => { records += batch.records; } });
  const keep = ['CAP_BPF', 'CAP_PERFMON', 'CAP_SYS_PTRACE'];
  const drop = () => api.dropPrivileges({ uid: 65534, gid: 65533, groups: [65533, 7], keep });
  const end = async () => { await ring.close(); for (const worker of workers) worker.terminate(); inspector.close(); };
`;

describeAsRoot('dropping privileges', () => {
  test('every thread runs as the user with the kept capabilities only', () => {
    const code = `${SETUP}
      drop();
      const threads = api.threadCredentials();
      const kinds = new Set(threads.map(({ tid, ...rest }) => JSON.stringify(rest)));
      console.log(threads.length > 12, kinds.size, [...kinds][0]);
      await end();`;
    const { status, stdout } = runChild(code);
    const [many, kinds, ...rest] = stdout.split(' ');
    expect([status, many, kinds]).toEqual([0, 'true', '1']);
    expect(JSON.parse(rest.join(' '))).toEqual({
      uid: Array(4).fill(65534),
      gid: Array(4).fill(65533),
      groups: [7, 65533],
      permitted: ['CAP_SYS_PTRACE', 'CAP_PERFMON', 'CAP_BPF'],
      effective: ['CAP_SYS_PTRACE', 'CAP_PERFMON', 'CAP_BPF'],
      noNewPrivs: true,
    });
  });

  test('afterwards multi-uprobes attach, maps are read, the ring delivers, objects load; root is out of reach', () => {
    const code = `${SETUP}
      drop();
      const { execFileSync } = await import('node:child_process');
      const offset = parseInt(execFileSync('nm', ['-D', libc], { encoding: 'utf8' }).split('\\n').find((row) => / getppid(@|$)/.test(row)), 16);
      const link = object.program('emit_small').attachUprobeMulti({ path: libc, offsets: [offset], pid: process.pid });
      for (let i = 0; i < 5; i++) process.ppid;
      await ring.drain();
      const sent = object.map('counts').get(new Uint8Array([2, 0, 0, 0]))[0];
      api.BpfObject.open(objectPath).load().close();
      link.close();
      const attempts = [() => process.setuid(0), () => fs.readFileSync('/etc/shadow'), () => process.setgroups([0])];
      const codes = attempts.map((attempt) => { try { attempt(); } catch (error) { return error.code; } });
      const shadow = await fs.promises.readFile('/etc/shadow').catch((error) => error.code);
      console.log(JSON.stringify([records, sent, codes, shadow]));
      await end();`;
    const { status, stdout } = runChild(code);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual([5, 5, ['EPERM', 'EACCES', 'EPERM'], 'EACCES']);
  });

  test('threads that start later inherit it', () => {
    const code = `${SETUP}
      drop();
      const late = new Worker('setInterval(() => {}, 1000)', { eval: true });
      await new Promise((resolve) => late.once('online', resolve));
      console.log(api.threadCredentials().every(({ uid }) => uid[0] === 65534));
      late.terminate();
      await end();`;
    expect(runChild(code)).toMatchObject({ status: 0, stdout: 'true\n' });
  });

  test('a second time is refused, because the rights for it are gone', () => {
    const code = `${SETUP}
      drop();
      try { drop(); } catch (error) { console.log(error.code, error.operation, error.detail); }
      await end();`;
    expect(runChild(code)).toMatchObject({
      status: 0,
      stdout: 'EPERM dropPrivileges CAP_SETUID and CAP_SETGID are needed\n',
    });
  });

  test('a capability that the process does not have is refused and nothing changes', () => {
    const code = `
      const spec = (keep) => ({ uid: 0, gid: 0, groups: [], keep });
      api.dropPrivileges(spec(['CAP_SETUID', 'CAP_SETGID']));
      try { api.dropPrivileges(spec(['CAP_BPF'])); } catch (error) { console.log(error.code, error.detail); }
      console.log(api.threadCredentials().every(({ effective }) => effective.length === 2));`;
    expect(runChild(code)).toMatchObject({
      status: 0,
      stdout: 'EPERM a capability to keep is not permitted to this process\ntrue\n',
    });
  });
});
