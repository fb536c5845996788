// What --verbose says of processes: each library of a program once, when it becomes known. That can be long after the program
// has begun, even after its first connection: the hooks are in place from the start, the look at the whole program comes later.

import type { ProcessEvent, TlsLibraryFact } from '../../model/index.ts';

/** Processes that are remembered, about 100 bytes each: more than a machine runs at a time. Beyond, libraries are told again. */
const MAX_PROCESSES = 10_000;

const libraryText = ({ library, hooked, reason }: TlsLibraryFact): string =>
  `${library} ${hooked ? 'hooked' : 'not hooked'} (${reason})`;

interface Told {
  readonly exe: string;
  readonly libraries: ReadonlySet<string>;
}

export class ProcessLines {
  readonly #told = new Map<number, Told>();

  /** The line for `event`, not yet safe for a terminal. */
  textOf(event: ProcessEvent): string {
    const { pid, exe, phase, exitCode } = event;
    const libraries = event.tls.map(libraryText);
    const before = this.#told.get(pid);
    const isKnown = before !== undefined && before.exe === exe && phase !== 'found';
    const added = isKnown ? libraries.filter((text) => !before.libraries.has(text)) : libraries;
    const words = isKnown && phase === 'exec' ? 'examined' : phase;
    this.#remember(event, libraries);
    const code = exitCode === undefined ? '' : ` with code ${exitCode}`;
    const stale = event.stale === true && phase !== 'exited' ? ['stale: the editor that started it has ended'] : [];
    return [`${event.role}:${pid} ${words}${code} ${exe}`, ...stale, ...added].join(' · ');
  }

  #remember({ pid, exe, phase }: ProcessEvent, libraries: readonly string[]): void {
    if (phase === 'exited') this.#told.delete(pid);
    else {
      if (this.#told.size >= MAX_PROCESSES) this.#told.clear();
      this.#told.set(pid, { exe, libraries: new Set(libraries) });
    }
  }
}
