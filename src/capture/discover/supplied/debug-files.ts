// Debug symbols that are on this machine already: as packages install them (GDB manual, "Separate Debug Files") and as
// debuginfod clients keep them. Nothing is fetched. They are found by build-id, so they fit the program exactly; where that
// leads nowhere, by the name and checksum in the program's debug link.
//
// LIMITS: compressed symbol tables (.gnu_debugdata) are not looked up.

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ElfImage } from '../elf.ts';
import { type DebugSymbols, symbolsByDebugLink } from './debug-link.ts';
import { isOfBuild, openSymbolFile, type SymbolFile } from './symbol-file.ts';

export interface DebugPlaces {
  /** Folders with `.build-id/ab/cdef….debug`. */
  readonly debugDirs: readonly string[];
  /** Folders with `<build-id>/debuginfo`. */
  readonly clientCaches: readonly string[];
}

const cacheHome = (): string => process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');

const usualPlaces = (): DebugPlaces => ({
  debugDirs: ['/usr/lib/debug'],
  clientCaches: [process.env['DEBUGINFOD_CACHE_PATH'] ?? '', join(cacheHome(), 'debuginfod_client')].filter(Boolean),
});

/** The symbols of this very build, where the machine has them. */
export function localDebugSymbols(elf: ElfImage, places: DebugPlaces = usualPlaces()): DebugSymbols {
  const file = fileByBuildId(elf, places);
  if (file === undefined) return symbolsByDebugLink(elf, places.debugDirs);
  return { lookup: file.lookupFor(elf), refused: [], close: file.close };
}

function fileByBuildId(elf: ElfImage, places: DebugPlaces): SymbolFile | undefined {
  const { buildId } = elf;
  if (buildId === undefined) return undefined;
  const candidates = [
    ...places.debugDirs.map((dir) => join(dir, '.build-id', buildId.slice(0, 2), `${buildId.slice(2)}.debug`)),
    ...places.clientCaches.map((dir) => join(dir, buildId, 'debuginfo')),
  ];
  for (const path of candidates.filter((candidate) => existsSync(candidate))) {
    const file = openSymbolFile(path);
    if (!file.ok) continue;
    if (isOfBuild(file.value, elf)) return file.value;
    file.value.close();
  }
  return undefined;
}
