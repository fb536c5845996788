import { expect, test } from 'vitest';
import type { TlsImage } from '../../../src/capture/discover/process.ts';
import { Attachments } from '../../../src/capture/live/attachments.ts';
import type { AttachPlace } from '../../../src/capture/live/kernel.ts';

const image = (path: string, inode: number): TlsImage => ({
  library: 'openssl',
  linkage: 'shared',
  hooks: [
    { role: 'read', symbol: 'SSL_read', fileOffset: 1, attachOffset: 1 },
    { role: 'write', symbol: 'SSL_write', fileOffset: 2, attachOffset: 2 },
  ],
  confidence: 'certain',
  reason: '',
  evidence: [],
  file: { dev: 'fe:01', inode },
  path,
  attachPath: path,
});

function recorder(sharedInodes: readonly number[] = [], refuse: (place: AttachPlace) => boolean = () => false) {
  const attached: AttachPlace[] = [];
  const released: number[] = [];
  const said: string[] = [];
  const attachments = new Attachments({
    attach(place) {
      if (refuse(place)) throw new Error('EINVAL');
      attached.push(place);
      return { links: [], id: attached.length } as never;
    },
    release: async (attachment) => void released.push((attachment as unknown as { id: number }).id),
    isShared: (one) => sharedInodes.includes(one.file.inode),
    log: { debug: () => {}, warn: (text) => said.push(text) },
  });
  return { attachments, attached, released, said };
}

const NODE = image('/usr/bin/node', 7);

test('a file of the targets alone gets probes once, for all processes', () => {
  const { attachments, attached } = recorder();
  expect(attachments.attach(NODE, 100)).toEqual({ failure: null, isNew: true });
  expect(attachments.attach(NODE, 101)).toEqual({ failure: null, isNew: false });
  expect(attached.map(({ pid, firstHookId }) => [pid, firstHookId])).toEqual([[undefined, 1]]);
  attachments.exited(100);
  expect(attachments.hook(1)?.symbol).toBe('SSL_read');
});

test('a file that strangers map gets probes per process, each under hook ids of its own, gone with the process', () => {
  const { attachments, attached, released } = recorder([7]);
  attachments.attach(NODE, 100);
  attachments.attach(NODE, 101);
  attachments.attach(NODE, 101);
  expect(attached.map(({ pid, firstHookId }) => [pid, firstHookId])).toEqual([
    [100, 1],
    [101, 3],
  ]);
  expect(attachments.ownedBy(101)).toEqual([NODE]);
  attachments.exited(101);
  expect(released).toEqual([2]);
  expect([attachments.ownedBy(101), attachments.hook(3), attachments.hook(2)?.symbol]).toEqual([
    [],
    undefined,
    'SSL_write',
  ]);
});

test('what was refused is told once, and tried again only by the way through another process', () => {
  const { attachments, attached, said } = recorder(
    [],
    ({ pid, firstHookId }) => pid === undefined && firstHookId === 1 && said.length === 0,
  );
  expect(attachments.attach(NODE, process.pid)).toEqual({ failure: 'EINVAL', isNew: false });
  expect(attachments.attach(NODE, process.pid)).toEqual({ failure: 'EINVAL', isNew: false });
  expect([attachments.hasAny(), attachments.failures(), said.length]).toEqual([false, ['EINVAL'], 1]);
  expect(attachments.attach(NODE, 101)).toEqual({ failure: null, isNew: true });
  expect([attachments.hasAny(), attached.length]).toEqual([true, 1]);
});

test('two TLS libraries in one file are hooked both', () => {
  const { attachments, attached } = recorder();
  const [first, ...others] = NODE.hooks;
  const second = { ...NODE, hooks: [{ ...first!, attachOffset: 900 }, ...others] };
  attachments.attach(NODE, 100);
  expect(attachments.attach(second, 100)).toEqual({ failure: null, isNew: true });
  expect(attached.map(({ hooks }) => hooks[0]?.attachOffset)).toEqual([1, 900]);
});

test('a library prepared ahead has probes at once when nobody else maps it, and counts when a target does', () => {
  const { attachments, attached } = recorder([7]);
  const own = image('/usr/lib/libssl.so.3', 8);
  attachments.prepare(NODE);
  attachments.prepare(own);
  attachments.prepare(own);
  expect(attached.map(({ path }) => path)).toEqual(['/usr/lib/libssl.so.3']);
  expect(attachments.hasAny()).toBe(false);
  expect(attachments.attach(own, 100)).toEqual({ failure: null, isNew: false });
  expect(attachments.hasAny()).toBe(true);
});

test('of the system’s library that strangers map, targets get probes of their own and newcomers share one set that yields', () => {
  const { attachments, attached, released } = recorder([7]);
  attachments.prepare(NODE);
  expect(attached).toEqual([]);
  attachments.addTarget(100);
  attachments.attach(NODE, 100);
  expect(attachments.attach(NODE, 200).isNew).toBe(true);
  expect(attachments.attach(NODE, 201).isNew).toBe(false);
  expect(attached.map(({ pid, yields, firstHookId }) => [pid, yields, firstHookId])).toEqual([
    [100, undefined, 1],
    [undefined, true, 3],
  ]);
  expect([attachments.ownedBy(100), attachments.ownedBy(200)]).toEqual([[NODE], []]);
  for (const pid of [100, 200, 201]) attachments.exited(pid);
  expect([released, attachments.hook(3)?.symbol]).toEqual([[1], 'SSL_read']);
});

test('a pid that was a target’s and is given to another process makes it a newcomer', () => {
  const { attachments, attached } = recorder([7]);
  attachments.prepare(NODE);
  attachments.addTarget(100);
  attachments.exited(100);
  attachments.attach(NODE, 100);
  expect(attached.map(({ pid }) => pid)).toEqual([undefined]);
});
