// Hooks for the functions of a static OpenSSL that were found by its error sites: with symbols only some of them have names,
// in a stripped program none.

import type { ProgramImage } from '../discover/image.ts';
import type { FoundFunction, StaticOpenSsl } from '../discover/openssl/find.ts';
import { BUFFER, type HookSpec, hookAt } from './hooks.ts';
import type { Hook } from './target.ts';

/** The found functions carry all data of the library. `nameOf` gives a function's real name where a symbol tells it. */
export const hooksOfFound = (
  { elf }: ProgramImage,
  found: StaticOpenSsl,
  nameOf: (address: number) => string | undefined = () => undefined,
): readonly Hook[] =>
  found.functions.flatMap((f) => {
    const spec = specOf(f);
    return hookAt(elf, { ...spec, symbol: nameOf(f.entry) ?? spec.symbol }, f.entry);
  });

/** Why nothing goes around the hooked functions. */
export const completeness = ({ functions }: StaticOpenSsl): string =>
  functions.some((f) => f.isMethod)
    ? 'ssl_read and ssl_write of the method tables, which everything else calls'
    : 'all functions that carry data, by their error sites';

/** The end of a connection, where no symbol tells SSL_free. */
export const freeOfFound = ({ elf }: ProgramImage, { free }: StaticOpenSsl): readonly Hook[] =>
  hookAt(elf, { symbol: 'SSL_METHOD.ssl_free', role: 'free' }, free);

function specOf({ direction, doneIndex, isMethod }: FoundFunction): HookSpec {
  if (doneIndex === undefined) return { symbol: `SSL_${direction}`, role: direction, args: BUFFER };
  const symbol = isMethod ? `SSL_METHOD.ssl_${direction}` : `ssl_${direction}_internal`;
  return { symbol, role: `${direction}_ex`, args: { ...BUFFER, done: doneIndex } };
}
