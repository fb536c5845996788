// A compiled BPF object: opened from a file or bytes, configured, loaded, closed.
import { binding, type ObjectHandle } from './binding.ts';
import { checkInteger, checkText } from './check.ts';
import { unwrap } from './error.ts';
import { closeLinksNow, type Link } from './link.ts';
import { BpfMap, handleOf } from './map.ts';
import { Program } from './program.ts';
import { encodeVariable } from './variable.ts';

/** All of it takes effect before load, and is checked when the object is opened. */
export interface OpenOptions {
  /** Name of the object; the kernel shows its start as part of the names of data maps. */
  readonly name?: string;
  /**
   * Initial values of global variables by name, usually `const volatile` ones; also `.data` and `.bss`. Numbers and bigints
   * are written little-endian in the variable's size and must fit; bytes must have exactly its size.
   */
  readonly rodata?: Readonly<Record<string, number | bigint | Uint8Array>>;
  /** `max_entries` by map name (for a ring buffer: bytes, a power of two and a multiple of the page size). */
  readonly maxEntries?: Readonly<Record<string, number>>;
  /** Names of programs that are not to be loaded. */
  readonly disable?: readonly string[];
  /** Expected attach type by program name, see {@link ATTACH_TYPE}. */
  readonly attachTypes?: Readonly<Record<string, number>>;
  /** Maps of other, loaded objects to use instead of new ones, by map name. Kinds and sizes must agree. */
  readonly reuseMaps?: Readonly<Record<string, BpfMap>>;
}

/**
 * A BPF object. Owns its programs, maps and links: closing it closes the links, and its programs and maps are refused from
 * then on. A {@link RingBuffer} that runs on one of its maps holds it. Without such a ring keep a reference as long as
 * anything is attached: an object that is garbage-collected detaches.
 */
export class BpfObject {
  readonly programs: readonly Program[];
  readonly maps: readonly BpfMap[];
  readonly #handle: ObjectHandle;
  readonly #links: Set<Link>;

  private constructor(handle: ObjectHandle, options: OpenOptions) {
    this.#handle = handle;
    const links = new Set<Link>();
    this.#links = links;
    const programs = unwrap(binding.objectPrograms(handle));
    const maps = unwrap(binding.objectMaps(handle));
    this.programs = programs.map(({ name, section, handle: program }) => new Program(name, section, program, links));
    this.maps = maps.map(({ name, handle: map }) => new BpfMap(name, map, this));
    const programHandles = new Map(programs.map((program) => [program.name, program.handle]));
    const programOf = (name: string) => named('program', programHandles.get(name), name, programHandles.keys());

    for (const name of options.disable ?? []) unwrap(binding.programSetAutoload(programOf(name), false));
    for (const [name, type] of Object.entries(options.attachTypes ?? {})) {
      checkInteger(`attachTypes.${name}`, type, 0, 2 ** 32 - 1);
      unwrap(binding.programSetAttachType(programOf(name), type));
    }
    this.#configureMaps(options);
    this.#setVariables(options.rodata ?? {});
  }

  /**
   * Parses an object; nothing reaches the kernel yet.
   * @param source path of a file, or its bytes (read during the call only).
   * @throws BpfError ENOENT, ENOEXEC or E4001 (not a BPF object), …; RangeError for an option that names nothing in it.
   */
  static open(source: string | Uint8Array, options: OpenOptions = {}): BpfObject {
    if (!(source instanceof Uint8Array)) checkText('source', source);
    const handle = unwrap(binding.objectOpen(source, options.name ?? ''));
    try {
      return new BpfObject(handle, options);
    } catch (error) {
      binding.objectClose(handle);
      throw error;
    }
  }

  /**
   * Creates the maps and has the programs verified. Once per object, also after a failure.
   * @returns itself, so that `BpfObject.open(…).load()` reads well.
   * @throws BpfError whose `detail` holds the verifier's last telling lines and whose `log` the whole log.
   */
  load(): this {
    unwrap(binding.objectLoad(this.#handle));
    return this;
  }

  /** @throws RangeError when there is none of that name. */
  program(name: string): Program {
    const found = this.programs.find((program) => program.name === name);
    return named(
      'program',
      found,
      name,
      this.programs.map((program) => program.name),
    );
  }

  /** @throws RangeError when there is none of that name. */
  map(name: string): BpfMap {
    const found = this.maps.find((map) => map.name === name);
    return named(
      'map',
      found,
      name,
      this.maps.map((map) => map.name),
    );
  }

  /**
   * Detaches all links (in parallel, see {@link closeLinks}), then gives programs and maps back. A second call does nothing.
   */
  close(): void {
    closeLinksNow([...this.#links]);
    unwrap(binding.objectClose(this.#handle));
  }

  [Symbol.dispose](): void {
    this.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  #configureMaps(options: OpenOptions): void {
    for (const [name, maxEntries] of Object.entries(options.maxEntries ?? {})) {
      checkInteger(`maxEntries.${name}`, maxEntries, 1, 2 ** 32 - 1);
      unwrap(binding.mapSetMaxEntries(handleOf(this.map(name)), maxEntries));
    }
    for (const [name, donor] of Object.entries(options.reuseMaps ?? {})) {
      unwrap(binding.mapReuse(handleOf(this.map(name)), handleOf(donor)));
    }
  }

  #setVariables(values: NonNullable<OpenOptions['rodata']>): void {
    for (const [name, value] of Object.entries(values)) {
      const sizeBytes = unwrap(binding.objectVariableSize(this.#handle, name));
      unwrap(binding.objectSetVariable(this.#handle, name, encodeVariable(name, value, sizeBytes)));
    }
  }
}

const named = <T>(what: string, found: T | undefined, name: string, known: Iterable<string>): T => {
  if (found !== undefined) return found;
  throw new RangeError(`the object has no ${what} '${name}'; it has: ${[...known].join(', ') || 'none'}`);
};
