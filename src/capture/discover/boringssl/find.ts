// The BoringSSL functions of a stripped program, by BoringSSL's own error sites (sites.ts). In order: path strings in the
// data, code that refers to them, the functions around those places, their error sites, then the recognition of each
// function. Right or silent: every find has passed all its checks, everything else is a reason in words.

import type { FactChain } from '../../targets/target.ts';
import { Functions } from '../code/functions.ts';
import { inRanges, type Range } from '../code/machine.ts';
import { machineOf } from '../code/machine-of.ts';
import type { ElfImage } from '../elf.ts';
import type { ProgramImage } from '../image.ts';
import { textRanges } from '../text-ranges.ts';
import { findCipherState } from './find-cipher-state.ts';
import { hasCipherTable } from './find-cipher-table.ts';
import { findSetHostName } from './find-host-name.ts';
import { findMethodTable, type TableAnswer } from './find-method-table.ts';
import { findRead, type ReadAnswer } from './find-read.ts';
import { findWrite, type WriteAnswer } from './find-write.ts';
import { type LibraryCopy, type SourceFile, separateCopies, sequenceOf } from './sites.ts';

/** What was found of one copy of the library. Addresses are virtual. */
export interface BoringCopy {
  readonly write: WriteAnswer;
  readonly read: ReadAnswer;
  readonly table: TableAnswer;
  readonly setHostName: number | undefined;
  /** The way from a TLS object to its cipher suite. */
  readonly cipher: FactChain | undefined;
}

export type BoringAnswer =
  | { readonly kind: 'absent' }
  /** The library is there, but its code could not be read. */
  | { readonly kind: 'unclear'; readonly why: string }
  | { readonly kind: 'found'; readonly copies: readonly BoringCopy[] };

export function findBoringSsl(image: ProgramImage): BoringAnswer {
  const { elf } = image;
  const sslLib = textRanges(image, 'boringSslLib');
  if (sslLib.length === 0) return { kind: 'absent' };
  const machine = machineOf(elf);
  const s3Pkt = textRanges(image, 'boringS3Pkt');
  const functions = new Functions(elf, machine);
  const references = machine.scanReferences([...sslLib, ...s3Pkt]);
  functions.survey(references.map((r) => r.at));
  const fileOf = (ranges: Range[]): SourceFile => {
    const places = references.filter((r) => inRanges(ranges, r.target)).map((r) => r.at);
    return { ranges, functions: functions.resolve(places).functions };
  };
  const copies = separateCopies(fileOf(sslLib), fileOf(s3Pkt));
  if (copies.length === 0) return { kind: 'unclear', why: 'the path ssl/ssl_lib.cc is there, but no error sites' };
  return { kind: 'found', copies: copies.map((copy) => examine(elf, copy, functions)) };
}

function examine(elf: ElfImage, copy: LibraryCopy, functions: Functions): BoringCopy {
  const sequence = sequenceOf(copy.sslLib);
  const write = findWrite(sequence);
  const read: ReadAnswer = write.found
    ? findRead(sequence, write.found.sequenceIndex, functions)
    : { why: 'SSL_read: SSL_write, which it is found by, is not found' };
  const table = findMethodTable(elf, copy, functions, write.found?.methodOffset);
  const state = table.found && findCipherState(table.found, functions);
  const cipher = state !== undefined && hasCipherTable(elf) ? state : undefined;
  return { write, read, table, setHostName: findSetHostName(copy), cipher };
}
