// From found functions to hooks: the arguments of each role in one place.

import { attachOffset } from '../discover/attach-point.ts';
import type { ElfSymbol } from '../discover/dynamic.ts';
import { type ElfImage, offsetOf } from '../discover/elf.ts';
import type { Hook, HookArgs, HookRole } from './target.ts';

export interface HookSpec {
  readonly symbol: string;
  readonly role: HookRole;
  readonly args?: HookArgs;
}

export const BUFFER: HookArgs = { buf: 1, len: 2 };
export const BUFFER_DONE: HookArgs = { buf: 1, len: 2, done: 3 };
/** OpenSSL 3.3 put `flags` before the count. */
export const BUFFER_FLAGS_DONE: HookArgs = { buf: 1, len: 2, done: 4 };

/** The hook for a function at a virtual address; nothing when the address is not in the file's code. */
export function hookAt(elf: ElfImage, spec: HookSpec, address: number, methodLow12?: number): Hook[] {
  const fileOffset = offsetOf(elf, address);
  if (fileOffset === undefined) return [];
  return [
    {
      role: spec.role,
      symbol: spec.symbol,
      fileOffset,
      attachOffset: attachOffset(elf, fileOffset),
      ...(spec.args && { args: spec.args }),
      ...(methodLow12 !== undefined && { methodLow12 }),
    },
  ];
}

export const hooksFor = (
  elf: ElfImage,
  specs: readonly HookSpec[],
  symbols: ReadonlyMap<string, ElfSymbol>,
): readonly Hook[] =>
  specs.flatMap((spec) => {
    const symbol = symbols.get(spec.symbol);
    return symbol === undefined ? [] : hookAt(elf, spec, symbol.address);
  });
