// Misuse: whatever is passed, the answer is an error, never a crash. The second half goes past the TypeScript face to the
// native functions themselves, which must hold on their own.
import { expect, test } from 'vitest';
import { type Binding, binding } from '../src/binding.ts';
import { BpfError, BpfObject } from '../src/index.ts';
import { bpfObject, describeAsRoot, targetPath } from './kit.ts';

/** A value of every kind that JavaScript has, and the numbers at the edges. */
const STRANGE: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  -1,
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  2 ** 53,
  2n ** 64n,
  -1n,
  '',
  'x',
  'a\0b',
  Symbol('s'),
  () => {},
  {},
  [],
  [null],
  [1n, -1],
  new Uint8Array(),
  new Uint8Array(5),
  new Float64Array(2),
  new ArrayBuffer(8),
  new DataView(new ArrayBuffer(8)),
];

test('the face names the argument that does not fit', () => {
  expect(() => BpfObject.open('')).toThrow('source must be a non-empty string without NUL');
  expect(() => BpfObject.open('a\0b')).toThrow(TypeError);
  expect(() => BpfObject.open(5 as unknown as string)).toThrow(TypeError);
  expect(() => BpfObject.open(bpfObject('probe'), { maxEntries: { hash: 0 } })).toThrow(
    'maxEntries.hash must be an integer from 1 to 4294967295; it is 0',
  );
});

describeAsRoot('misuse of a loaded object', () => {
  test('places that make no sense are refused by name', () => {
    using object = BpfObject.open(bpfObject('probe')).load();
    const program = object.program('on_enter');
    const path = targetPath();
    expect(() => program.attachUprobe({ path: '' })).toThrow('path must be');
    expect(() => program.attachUprobe({ path, offset: -1 })).toThrow('offset must be');
    expect(() => program.attachUprobe({ path, offset: 2 ** 53 })).toThrow('offset must be');
    expect(() => program.attachUprobe({ path, offset: 2n ** 64n })).toThrow('offset must be');
    expect(() => program.attachUprobe({ path, pid: 1.5 })).toThrow('pid must be');
    expect(() => program.attachUprobe({ path, cookie: -1n })).toThrow('cookie must be');
    expect(() => program.attachUprobeMulti({ path, offsets: [] })).toThrow('offsets must not be empty');
    expect(() => program.attachUprobeMulti({ path, offsets: [1], cookies: [1n, 2n] })).toThrow('as many as offsets');
    expect(() => program.attachRawTracepoint('')).toThrow('name must be');
    expect(() => object.map('hash').get('key' as unknown as Uint8Array)).toThrow('key must be a Uint8Array');
    expect(() => object.map('hash').set(new Uint8Array(4), new Uint8Array(8), -1)).toThrow('flags must be');
  });
});

const isRefusal = (value: unknown): boolean => typeof value === 'object' && value !== null && 'errno' in value;
/** Works without a handle or with any arguments, so it is tested elsewhere. */
const WITHOUT_HANDLE = new Set([
  'enableStats',
  'objectOpen',
  'probeFeature',
  'dropPrivileges',
  'bufferDetach',
  'linksClose',
  'linksCloseAsync',
]);

test.each(Object.keys(binding).filter((name) => !WITHOUT_HANDLE.has(name)))(
  'native %s refuses every strange value',
  (name) => {
    const call = binding[name as keyof Binding] as (...args: unknown[]) => unknown;
    expect(isRefusal(call())).toBe(true);
    for (const value of STRANGE) {
      const result = call(...Array(8).fill(value));
      expect(isRefusal(result), String(value)).toBe(true);
      expect(new BpfError(result as ConstructorParameters<typeof BpfError>[0]).code).toBe('EINVAL');
    }
  },
);

test('native functions that take no handle refuse strange values as well', () => {
  const { objectOpen, probeFeature, bufferDetach, linksClose, linksCloseAsync } = binding as unknown as Record<
    string,
    (...args: unknown[]) => unknown
  >;
  for (const value of STRANGE) {
    expect(isRefusal(objectOpen!(value, value)), String(value)).toBe(true);
    expect(isRefusal(probeFeature!(value))).toBe(true);
    if (!(value instanceof ArrayBuffer)) expect(isRefusal(bufferDetach!(value))).toBe(true);
    if (!Array.isArray(value) || value.length > 0) expect(isRefusal(linksClose!(value))).toBe(true);
    expect(isRefusal(linksCloseAsync!([], value))).toBe(typeof value !== 'function');
  }
});

test('a handle of one kind is refused where another is wanted', () => {
  const object = binding.objectOpen(bpfObject('probe'), '') as never;
  const programs = binding.objectPrograms(object) as unknown as { handle: never }[];
  const maps = binding.objectMaps(object) as unknown as { handle: never }[];
  const program = programs[0]!.handle;
  const map = maps[0]!.handle;
  for (const result of [
    binding.objectLoad(map),
    binding.objectLoad(program),
    binding.mapGet(object, new Uint8Array(4)),
    binding.mapGet(program, new Uint8Array(4)),
    binding.programStats(map),
    binding.linksClose([map]),
    binding.ringStats(map),
    binding.mapReuse(map, program),
  ]) {
    expect(result).toMatchObject({ code: 'EINVAL', detail: expect.stringContaining('a handle made by this addon') });
  }
});
