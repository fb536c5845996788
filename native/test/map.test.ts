import { expect, test } from 'vitest';
import { BpfObject, MAP_FLAG } from '../src/index.ts';
import { asU64, bpfObject, describeAsRoot, Target, targetPath, u32, u64 } from './kit.ts';

const codeOf = (action: () => unknown): string | undefined => {
  try {
    action();
  } catch (error) {
    return (error as { code?: string }).code ?? (error as Error).name;
  }
  return undefined;
};

describeAsRoot('maps', () => {
  test('a hash holds what was set, until it is deleted', () => {
    using object = BpfObject.open(bpfObject('probe')).load();
    const hash = object.map('hash');
    expect(hash.get(u32(1))).toBeUndefined();
    hash.set(u32(1), u64(11n));
    hash.set(u32(2), u64(2n ** 64n - 1n));
    expect(asU64(hash.get(u32(1)))).toBe(11n);
    expect(asU64(hash.get(u32(2)))).toBe(2n ** 64n - 1n);
    expect(hash.delete(u32(1))).toBe(true);
    expect(hash.delete(u32(1))).toBe(false);
    expect(hash.get(u32(1))).toBeUndefined();
  });

  test('keys and entries walk over all of a hash', () => {
    using object = BpfObject.open(bpfObject('probe')).load();
    const hash = object.map('hash');
    expect([...hash.keys()]).toEqual([]);
    for (let i = 0; i < 64; i++) hash.set(u32(i), u64(BigInt(i * i)));
    const seen = [...hash.entries()].map(([key, value]) => [Buffer.from(key).readUInt32LE(), Number(asU64(value))]);
    expect(seen.sort((a, b) => a[0]! - b[0]!)).toEqual(Array.from({ length: 64 }, (_, i) => [i, i * i]));
  });

  test('flags: noExist only creates, exist only replaces; a full map is E2BIG with advice', () => {
    using object = BpfObject.open(bpfObject('probe'), { maxEntries: { hash: 1 } }).load();
    const hash = object.map('hash');
    expect(codeOf(() => hash.set(u32(1), u64(1n), MAP_FLAG.exist))).toBe('ENOENT');
    hash.set(u32(1), u64(1n), MAP_FLAG.noExist);
    expect(codeOf(() => hash.set(u32(1), u64(1n), MAP_FLAG.noExist))).toBe('EEXIST');
    expect(() => hash.set(u32(2), u64(1n))).toThrow(
      expect.objectContaining({ code: 'E2BIG', hint: expect.stringContaining('maxEntries') }),
    );
  });

  test('an array has every index and no other', () => {
    using object = BpfObject.open(bpfObject('probe')).load();
    const counts = object.map('counts');
    expect([...counts.keys()].map((key) => Buffer.from(key).readUInt32LE())).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(counts.get(u32(8))).toBeUndefined();
    expect(codeOf(() => counts.set(u32(8), u64(1n)))).toBe('E2BIG');
    expect(codeOf(() => counts.delete(u32(0)))).toBe('EINVAL');
  });

  test('a per-CPU map gives one padded value per CPU, and takes them back', async () => {
    await using object = BpfObject.open(bpfObject('probe')).load();
    const percpu = object.map('percpu');
    const { cpuCount, valueSize, valueBytes } = percpu.info;
    expect([valueSize, valueBytes]).toEqual([4, cpuCount * 8]);
    const target = new Target();
    object.program('on_enter').attachUprobe({ path: targetPath(), symbol: 'alpha', pid: target.pid });
    await target.run('3');
    const value = Buffer.from(percpu.get(u32(0))!);
    let sum = 0;
    for (let cpu = 0; cpu < cpuCount; cpu++) sum += value.readUInt32LE(cpu * 8);
    expect(sum).toBe(1000);
    const written = new Uint8Array(valueBytes);
    for (let cpu = 0; cpu < cpuCount; cpu++) written[cpu * 8] = cpu + 1;
    percpu.set(u32(1), written);
    expect(percpu.get(u32(1))).toEqual(written);
    await target.end();
  });

  test('wrong sizes are refused with the right size, also when they would be read past their end', () => {
    using object = BpfObject.open(bpfObject('probe')).load();
    expect(() => object.map('hash').get(new Uint8Array(3))).toThrow('the key of this map has 4 bytes, not 3');
    expect(() => object.map('hash').get(new Uint8Array(0))).toThrow('has 4 bytes, not 0');
    expect(() => object.map('hash').set(u32(1), new Uint8Array(7))).toThrow('the value of this map has 8 bytes, not 7');
    expect(() => object.map('percpu').set(u32(1), u32(1))).toThrow(/the value of this map has \d+ bytes, not 4/);
    expect(() => object.map('hash').delete(new Uint8Array(5))).toThrow('has 4 bytes, not 5');
    expect(() => [...object.map('ring').keys()]).toThrow('this kind of map has no keys');
    expect(() => object.map('ring').get(new Uint8Array(0))).toThrow();
  });
});
