// How things end: process exit, uncaught exceptions, workers, garbage collection, and what is left behind. Each case is a
// process of its own, because a mistake here is a crash or a hang.
import { expect, test } from 'vitest';
import { describeAsRoot, runChild } from './kit.ts';

/** A ring that gets records from this process's own getppid(), one per call of hit(). */
const SETUP = `
  import fs from 'node:fs';
  const libc = /\\S+\\/libc\\.so\\.6$/m.exec(fs.readFileSync('/proc/self/maps', 'utf8'))[0];
  const open = () => api.BpfObject.open(objectPath, { maxEntries: { ring: 65536 } }).load();
  const attach = (object) => object.program('emit_small').attachUprobe({ path: libc, symbol: 'getppid', pid: process.pid });
  const hit = () => process.ppid;
  // A thread that was joined is listed a moment longer, a descriptor that was collected is closed a moment later.
  const until = async (holds) => { while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5)); };
`;
const clean = { status: 0, signal: null, stderr: '' };

describeAsRoot('lifetime', () => {
  test('an open ring keeps the process alive, and closing it lets the process end', () => {
    const code = `${SETUP}
      const object = open();
      attach(object);
      const ring = new api.RingBuffer(object.map('ring'), { onBatch: (batch) => { console.log(batch.records); ring.close(); } });
      hit();`;
    expect(runChild(code)).toEqual({ ...clean, stdout: '1\n' });
  });

  test('process.exit with a running ring, inside and outside of the callback', () => {
    const outside = `${SETUP} const object = open(); attach(object);
      new api.RingBuffer(object.map('ring'), { onBatch() {} }); hit(); process.exit(0);`;
    expect(runChild(outside)).toEqual({ ...clean, stdout: '' });
    const inside = `${SETUP} const object = open(); attach(object);
      new api.RingBuffer(object.map('ring'), { onBatch() { process.exit(0); } }); hit();`;
    expect(runChild(inside)).toEqual({ ...clean, stdout: '' });
  });

  test('process.exit while the reader is stalled and batches wait to be delivered', () => {
    const code = `${SETUP} const object = open(); attach(object);
      new api.RingBuffer(object.map('ring'), { batchBytes: 4096, maxPendingBatches: 2, onBatch: () => new Promise(() => {}) });
      for (let i = 0; i < 3000; i++) hit();
      setTimeout(() => process.exit(0), 50);`;
    expect(runChild(code)).toEqual({ ...clean, stdout: '' });
  });

  test('what the callback throws is an uncaught exception, and the ring goes on', () => {
    const code = `${SETUP} const object = open(); attach(object);
      let batches = 0;
      process.on('uncaughtException', (error) => { console.log('uncaught', error.message); hit(); });
      const ring = new api.RingBuffer(object.map('ring'), { maxPendingBatches: 1, onBatch() {
        batches++;
        if (batches < 3) throw new Error('thrown ' + batches);
        ring.close();
      } });
      hit();`;
    expect(runChild(code)).toEqual({ ...clean, stdout: 'uncaught thrown 1\nuncaught thrown 2\n' });
  });

  test('what the callback rejects is an unhandled rejection', () => {
    const code = `${SETUP} const object = open(); attach(object);
      const ring = new api.RingBuffer(object.map('ring'), { onBatch: async () => { throw new Error('rejected'); } });
      process.on('unhandledRejection', (error) => { console.log('unhandled', error.message); ring.close(); });
      hit();`;
    expect(runChild(code)).toEqual({ ...clean, stdout: 'unhandled rejected\n' });
  });

  test('a running ring whose every reference is collected goes on, and keeps attached what writes to it', () => {
    const code = `${SETUP}
      let records = 0;
      const start = () => {
        const object = open();
        attach(object);
        const ring = new api.RingBuffer(object.map('ring'), { onBatch: (batch) => { records += batch.records; if (records === 40) ring.close(); } });
      };
      start();
      for (let i = 0; i < 40; i++) { hit(); gc(); await new Promise((resolve) => setTimeout(resolve, 1)); }
      process.on('exit', () => console.log(records));`;
    expect(runChild(code, ['--expose-gc'])).toEqual({ ...clean, stdout: '40\n' });
  });

  test('an object that is collected detaches and gives its descriptors back', () => {
    const code = `${SETUP}
      const count = () => fs.readdirSync('/proc/self/fd').length;
      const first = open();
      attach(first);
      first.close(); // what the first use of anything opens for good
      const before = count();
      const abandon = () => { for (let i = 0; i < 20; i++) attach(open()); };
      abandon();
      const most = count() - before;
      await until(() => { gc(); return count() === before; });
      console.log(most > 20);`;
    expect(runChild(code, ['--expose-gc'])).toEqual({ ...clean, stdout: 'true\n' });
  });

  test('a worker that is terminated with a running ring takes its thread with it', () => {
    const code = `${SETUP}
      import { Worker } from 'node:worker_threads';
      const nameOf = (tid) => { try { return fs.readFileSync('/proc/self/task/' + tid + '/comm', 'utf8'); } catch { return ''; } };
      const threads = () => fs.readdirSync('/proc/self/task').map(nameOf);
      const body = \`import * as api from \${JSON.stringify(apiUrl)};
        import { parentPort } from 'node:worker_threads';
        const object = api.BpfObject.open(\${JSON.stringify(objectPath)}).load();
        new api.RingBuffer(object.map('ring'), { onBatch() {} });
        parentPort.postMessage('ready');\`;
      const worker = new Worker(new URL('data:text/javascript,' + encodeURIComponent(body)));
      await new Promise((resolve) => worker.once('message', resolve));
      console.log(threads().includes('ebpf-ring\\n'));
      await worker.terminate();
      await until(() => !threads().includes('ebpf-ring\\n'));`;
    expect(runChild(code)).toEqual({ ...clean, stdout: 'true\n' });
  });

  test('200 cycles of everything leave no descriptor, thread or mapping behind', () => {
    const code = `${SETUP}
      const count = () => [fs.readdirSync('/proc/self/fd').length, fs.readdirSync('/proc/self/task').length,
        fs.readFileSync('/proc/self/maps', 'utf8').match(/anon_inode:bpf/g)?.length ?? 0];
      const cycle = async (i) => {
        const object = open();
        // Detaching waits for the kernel (about 0.1 s), so not in every cycle.
        if (i % 4 === 0) attach(object);
        const ring = new api.RingBuffer(object.map('ring'), { onBatch() {} });
        hit();
        object.map('hash').set(new Uint8Array(4), new Uint8Array(8));
        try { api.BpfObject.open('/nowhere'); } catch {}
        await ring.close();
        object.close();
      };
      for (let i = 0; i < 3; i++) await cycle(i * 4);
      const before = count();
      for (let i = 0; i < 200; i++) await cycle(i);
      await until(() => JSON.stringify(before) === JSON.stringify(count()));
      console.log(before[2]);`;
    expect(runChild(code)).toEqual({ ...clean, stdout: '0\n' });
  });

  test('features leave nothing behind', () => {
    const code = `${SETUP}
      const count = () => fs.readdirSync('/proc/self/fd').length;
      api.features();
      const before = count();
      for (let i = 0; i < 5; i++) api.features();
      const left = count() - before;
      console.log(left);`;
    expect(runChild(code)).toEqual({ ...clean, stdout: '0\n' });
  });
});
