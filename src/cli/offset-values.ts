// `--offset [file:]function=offset` and `--symbols file`, given any number of times.

import { InvalidArgumentError } from 'commander';
import { type GivenOffset, SUPPLIED_FUNCTIONS } from '../app/index.ts';

export const collectFiles = (file: string, before: readonly string[] = []): readonly string[] => [...before, file];

/** The offset is decimal, or hexadecimal behind 0x. A file's name may have colons and equals signs itself. */
export function collectOffsets(text: string, before: readonly GivenOffset[] = []): readonly GivenOffset[] {
  const [, file, symbol = '', number = ''] = /^(?:(.+):)?([^:=]+)=(0x[0-9a-fA-F]+|\d+)$/.exec(text) ?? [];
  const fileOffset = Number(number);
  if (number === '' || !Number.isSafeInteger(fileOffset)) {
    throw new InvalidArgumentError('expected [file:]function=offset, e.g. SSL_read=0x4ba10.');
  }
  if (!SUPPLIED_FUNCTIONS.includes(symbol)) {
    throw new InvalidArgumentError(`${symbol} is none of ${SUPPLIED_FUNCTIONS.join(', ')}.`);
  }
  return [...before, { file, symbol, fileOffset }];
}
