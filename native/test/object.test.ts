import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ATTACH_TYPE, BpfError, BpfObject } from '../src/index.ts';
import { asU64, bpfObject, describeAsRoot, Target, targetPath, u32 } from './kit.ts';

const thrownBy = (action: () => unknown): unknown => {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
};

test('lists programs with their sections and maps with their sizes before load', () => {
  using object = BpfObject.open(bpfObject('probe'));
  expect(object.programs.map(({ name, section }) => `${section} ${name}`)).toEqual([
    'uprobe on_enter',
    'uprobe on_return',
    'uprobe on_multi',
    'uprobe emit_small',
    'uprobe emit_odd',
    'uprobe emit_large',
    'uprobe emit_discard',
    'raw_tp on_exec',
  ]);
  expect(object.map('hash').info).toEqual({
    type: 1,
    keySize: 4,
    valueSize: 8,
    maxEntries: 64,
    cpuCount: 1,
    valueBytes: 8,
  });
});

test('opens the same from bytes as from a file', () => {
  using fromBytes = BpfObject.open(readFileSync(bpfObject('probe')), { name: 'given_name' });
  expect(fromBytes.programs).toHaveLength(8);
  expect(fromBytes.maps.map((map) => map.name)).toContain('given_na.rodata');
});

test('a missing file is ENOENT with its path', () => {
  expect(thrownBy(() => BpfObject.open('/nowhere/x.o'))).toMatchObject({
    name: 'BpfError',
    code: 'ENOENT',
    errno: 2,
    operation: 'object.open',
    detail: expect.stringContaining('/nowhere/x.o'),
    hint: 'Check the path of the object file.',
  });
});

test.each([
  ['text', new TextEncoder().encode('no ELF at all, just some text')],
  ['nothing', new Uint8Array()],
  ['a program of this machine', readFileSync(process.execPath).subarray(0, 4096)],
  ['the first half of an object', readFileSync(bpfObject('probe')).subarray(0, 3000)],
])('%s is refused as an object', (_, bytes) => {
  expect(thrownBy(() => BpfObject.open(bytes))).toBeInstanceOf(BpfError);
});

test('names in options must exist, and the message lists what does', () => {
  const path = bpfObject('probe');
  expect(() => BpfObject.open(path, { maxEntries: { none: 1 } })).toThrow(/no map 'none'; it has: .*hash/);
  expect(() => BpfObject.open(path, { disable: ['none'] })).toThrow(/no program 'none'; it has: on_enter/);
  expect(() => BpfObject.open(path, { attachTypes: { none: 48 } })).toThrow(/no program 'none'/);
  expect(thrownBy(() => BpfObject.open(path, { rodata: { none: 1 } }))).toMatchObject({
    code: 'ENOENT',
    operation: 'object.variable',
  });
});

test('a variable refuses values that do not fit it', () => {
  const path = bpfObject('probe');
  expect(() => BpfObject.open(path, { rodata: { wanted_pid: 2 ** 32 } })).toThrow(
    'has 4 bytes; 4294967296 does not fit',
  );
  expect(() => BpfObject.open(path, { rodata: { signed_value: -(2 ** 31) - 1 } })).toThrow(RangeError);
  expect(() => BpfObject.open(path, { rodata: { wanted_pid: 1.5 } })).toThrow(RangeError);
  expect(() => BpfObject.open(path, { rodata: { raw_bytes: new Uint8Array(3) } })).toThrow(
    "variable 'raw_bytes' has 4 bytes, not 3",
  );
});

describeAsRoot('loading', () => {
  test('a program that the verifier refuses is an error that says which, why and where', () => {
    using object = BpfObject.open(bpfObject('refused'));
    const error = thrownBy(() => object.load()) as BpfError;
    expect(error).toBeInstanceOf(BpfError);
    expect(error).toMatchObject({ code: 'EACCES', errno: 13, operation: 'object.load' });
    expect(error.detail).toContain("program 'reads_null' was refused");
    expect(error.detail).toMatch(/R0 invalid mem access 'map_value_or_null'$/);
    expect(error.log).toContain('-- BEGIN PROG LOAD LOG --');
    expect(error.hint).toContain('verifier log');
    expect(thrownBy(() => object.load())).toMatchObject({ code: 'EBUSY' });
  });

  test('the program sees the variables that were set', async () => {
    await using object = BpfObject.open(bpfObject('probe'), {
      rodata: { signed_value: -5, initial_data: 4_000_000_000n },
    }).load();
    const target = new Target();
    object.program('on_enter').attachUprobe({ path: targetPath(), symbol: 'alpha', pid: target.pid });
    await target.run('0');
    expect(asU64(object.map('counts').get(u32(5)))).toBe(3_999_999_995n);
    await target.end();
  });

  test('disabled programs are not loaded, the others are', () => {
    using object = BpfObject.open(bpfObject('probe'), { disable: ['emit_large'] }).load();
    expect(thrownBy(() => object.program('emit_large').stats())).toMatchObject({
      code: 'EBADF',
      detail: 'the program is not loaded',
    });
    expect(object.program('emit_small').stats().id).toBeGreaterThan(0);
  });

  test('maxEntries sizes a map, and a size that the kernel refuses is an error', () => {
    using object = BpfObject.open(bpfObject('probe'), { maxEntries: { hash: 3, ring: 4096 } }).load();
    expect(object.map('hash').info.maxEntries).toBe(3);
    expect(object.map('ring').info.maxEntries).toBe(4096);
    using refused = BpfObject.open(bpfObject('refused'), { maxEntries: { table: 2 ** 32 - 1 } });
    expect(thrownBy(() => refused.load())).toBeInstanceOf(BpfError);
  });

  test('two objects share a map that is reused', () => {
    using first = BpfObject.open(bpfObject('probe')).load();
    using second = BpfObject.open(bpfObject('probe'), { reuseMaps: { hash: first.map('hash') } }).load();
    second.map('hash').set(u32(9), new Uint8Array(8).fill(1));
    expect(asU64(first.map('hash').get(u32(9)))).toBe(0x0101010101010101n);
  });

  test('attach types unknown to libbpf reach the kernel', () => {
    using object = BpfObject.open(bpfObject('probe'), { attachTypes: { on_multi: ATTACH_TYPE.uprobeMulti } }).load();
    expect(object.program('on_multi').stats().verifiedInstructions).toBeGreaterThan(0);
  });

  test('after close everything is refused and nothing crashes; closing again does nothing', () => {
    const object = BpfObject.open(bpfObject('probe')).load();
    const [program, map] = [object.program('on_enter'), object.map('hash')];
    object.close();
    object.close();
    for (const action of [
      () => object.load(),
      () => map.get(u32(0)),
      () => map.info,
      () => [...map.keys()],
      () => program.stats(),
      () => program.attachUprobe({ path: targetPath(), symbol: 'alpha' }),
      () => BpfObject.open(bpfObject('probe'), { reuseMaps: { hash: map } }),
    ]) {
      expect(thrownBy(action)).toBeInstanceOf(BpfError);
    }
  });

  test('nothing can be used before load', () => {
    using object = BpfObject.open(bpfObject('probe'));
    expect(thrownBy(() => object.map('hash').get(u32(0)))).toMatchObject({
      code: 'EBADF',
      detail: 'the object is not loaded',
    });
    expect(thrownBy(() => object.program('on_exec').attachRawTracepoint('sched_process_exec'))).toMatchObject({
      code: 'EBADF',
    });
  });
});
