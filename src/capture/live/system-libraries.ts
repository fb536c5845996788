// The system's TLS libraries, known before any process maps them. A program that names one in its header, such as curl, may
// be through with its first request some 10 ms after its exec: too soon for looking at its mappings first.

import { readImage } from '../discover/image.ts';
import type { TlsImage } from '../discover/process.ts';
import { openFileSource } from '../discover/source.ts';

/** Libraries that are, or bring along, the system's TLS library. Others load it late enough to be seen doing so. */
const BRINGS_TLS = /^lib(ssl|curl)[.-]/;

/** Programs remembered: a session that runs more than this many different ones asks again. */
const MAX_PROGRAMS = 4096;

/** True when a program's header names a TLS library, or one that brings it along. */
export const namesTls = (needed: readonly string[]): boolean => needed.some((name) => BRINGS_TLS.test(name));

export class SystemLibraries {
  readonly #images: readonly TlsImage[];
  /** By device and inode. */
  readonly #programs = new Map<string, boolean>();

  constructor(images: readonly TlsImage[]) {
    this.#images = images;
  }

  /** What a process that has just replaced its program is going to map. */
  expectedIn(pid: number): readonly TlsImage[] {
    if (this.#images.length === 0) return [];
    const source = openFileSource(`/proc/${pid}/exe`);
    if (!source.ok) return [];
    try {
      const key = `${source.value.dev}/${source.value.inode}`;
      const answer = this.#programs.get(key) ?? this.#read(key, readImage(source.value));
      return answer ? this.#images : [];
    } finally {
      source.value.close();
    }
  }

  #read(key: string, image: ReturnType<typeof readImage>): boolean {
    const answer = image.ok && namesTls(image.image.dynamic.needed);
    if (this.#programs.size >= MAX_PROGRAMS) this.#programs.clear();
    this.#programs.set(key, answer);
    return answer;
  }
}
