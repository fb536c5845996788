// A map of an object. Keys and values are bytes: their layout is the program's business.
import { binding, type MapHandle } from './binding.ts';
import { checkBytes, checkInteger } from './check.ts';
import { unwrap } from './error.ts';

export interface MapInfo {
  /** enum bpf_map_type: 1 hash, 2 array, 5 per-CPU hash, 6 per-CPU array, 27 ring buffer, … */
  readonly type: number;
  readonly keySize: number;
  /** Bytes of one value as declared. */
  readonly valueSize: number;
  readonly maxEntries: number;
  /** Values under one key: the number of possible CPUs for per-CPU maps, otherwise 1. */
  readonly cpuCount: number;
  /**
   * Bytes that `get` returns and `set` wants: `valueSize`, or for per-CPU maps `cpuCount` values in a row, each padded to a
   * multiple of 8 (the value of CPU n starts at `n * valueBytes / cpuCount`).
   */
  readonly valueBytes: number;
}

/** For {@link BpfMap.set}. */
export const MAP_FLAG = {
  /** Create or replace. */
  any: 0,
  /** Only create; fails with EEXIST. */
  noExist: 1,
  /** Only replace; fails with ENOENT. */
  exist: 2,
} as const;

/** By map; `owner` is its object: who holds a map keeps the object from being collected, and so what the object attached. */
const held = new WeakMap<BpfMap, { readonly handle: MapHandle; readonly owner: object }>();

/** For this package only: what native code knows the map by. */
export const handleOf = (map: BpfMap): MapHandle => {
  const entry = held.get(map);
  if (!entry) throw new TypeError('map must be a BpfMap');
  return entry.handle;
};

/** A map of a {@link BpfObject}. Usable from load until its object is closed. All calls are synchronous system calls. */
export class BpfMap {
  readonly name: string;
  readonly #handle: MapHandle;

  /** For this package only. */
  constructor(name: string, handle: MapHandle, owner: object) {
    this.name = name;
    this.#handle = handle;
    held.set(this, { handle, owner });
  }

  get info(): MapInfo {
    return unwrap(binding.mapInfo(this.#handle));
  }

  /** A copy of the value (see {@link MapInfo.valueBytes}), or undefined when the key is absent. */
  get(key: Uint8Array): Uint8Array | undefined {
    checkBytes('key', key);
    return unwrap(binding.mapGet(this.#handle, key));
  }

  /** @param flags one of {@link MAP_FLAG}. @throws BpfError E2BIG when the map is full. */
  set(key: Uint8Array, value: Uint8Array, flags: number = MAP_FLAG.any): void {
    checkBytes('key', key);
    checkBytes('value', value);
    checkInteger('flags', flags, 0, 2 ** 32 - 1);
    unwrap(binding.mapSet(this.#handle, key, value, flags));
  }

  /** @returns whether the key was there. */
  delete(key: Uint8Array): boolean {
    checkBytes('key', key);
    return unwrap(binding.mapDelete(this.#handle, key));
  }

  /**
   * Walks the keys as they are now. Not a snapshot: keys that come or go meanwhile may be missed or seen twice (a hash starts
   * over when the key it stands on is deleted), so collect first where that matters. Ends after `maxEntries` keys.
   */
  *keys(): Generator<Uint8Array, void, void> {
    let key: Uint8Array | undefined;
    // The bound keeps a walk over a map that others change at the same time from going round for ever.
    for (let left = this.info.maxEntries; left > 0; left--) {
      key = unwrap(binding.mapNextKey(this.#handle, key));
      if (!key) return;
      yield key;
    }
  }

  /** Keys with their values; a key that goes away in between is left out. See {@link keys}. */
  *entries(): Generator<[Uint8Array, Uint8Array], void, void> {
    for (const key of this.keys()) {
      const value = this.get(key);
      if (value) yield [key, value];
    }
  }
}
