// Looks for a needle in one text: as it is, in other forms, without regard to white space, in the lines of a diff or of a
// numbered listing, and, for a file, line by line.

import type { LineRange } from '../context/item.ts';
import { type Needle, squeeze } from './needle.ts';

export interface Match {
  readonly how: string;
  /** UTF-16 units from the beginning of the text; absent where the text was rewritten to find it. */
  readonly offset?: number;
  /** Of a file that was sent in part: its lines that were found. */
  readonly lines?: readonly LineRange[];
  /** True when not all of it was found. */
  readonly partial?: true;
}

export function matchIn(text: string, needle: Needle): Match | undefined {
  for (const { how, text: form } of needle.forms) {
    const offset = text.indexOf(form);
    if (offset >= 0) return { how, offset };
  }
  return squeezedMatch(text, needle) ?? linesMatch(text, needle);
}

function squeezedMatch(text: string, { squeezed }: Needle): Match | undefined {
  if (squeezed === undefined || text.length < squeezed.length) return undefined;
  if (squeeze(text).includes(squeezed)) return { how: 'with other white space' };
  const stripped = strippedLines(text);
  return stripped !== undefined && squeeze(stripped).includes(squeezed)
    ? { how: 'in a diff or a listing with line numbers' }
    : undefined;
}

/** Marks at the beginning of a diff's or listing's line, and the mark of deleted lines in completions. */
const LINE_MARK = /^(?:[ \t]*\d{1,7}(?:[:|→\t]|\. ) ?|[+\- ])/;
const DELETED_MARK = / --- IGNORE ---$/;
const HAS_MARKS = /(?:^|\n)(?:[+-]|[ \t]*\d{1,7}(?:[:|→\t]|\. ))/;

const strip = (line: string): string => line.replace(LINE_MARK, '').replace(DELETED_MARK, '');

const strippedLines = (text: string): string | undefined =>
  HAS_MARKS.test(text) ? text.split('\n').map(strip).join('\n') : undefined;

/** Lines that stand in many files: several in a row are needed to mean this one. */
const COMMON =
  /^(import|export \*|from|use|using|package|#include|return|const \w+ = require|if|for|while|else|try|catch|end|def|func|function|class|public|private|\/\/|\/\*|\*|#!|<\/?\w+>|@)/;
const MIN_RUN = 3;
/** A single line must be as long as this to mean anything. */
const MIN_TELLING_CHARS = 12;

function linesMatch(text: string, { lines }: Needle): Match | undefined {
  if (lines.size === 0) return undefined;
  const found: { readonly number: number; readonly telling: boolean }[] = [];
  for (const line of text.split('\n')) {
    const plain = line.trim();
    const number = lines.get(plain) ?? lines.get(strip(line).trim());
    if (number !== undefined)
      found.push({ number, telling: plain.length >= MIN_TELLING_CHARS && !COMMON.test(strip(line).trim()) });
  }
  const numbers = [...new Set(found.map(({ number }) => number))].sort((a, b) => a - b);
  const isTelling = found.some(({ telling }) => telling) || longestRun(numbers, lines) >= MIN_RUN;
  if (!isTelling) return undefined;
  return { how: `${numbers.length} of its ${lines.size} lines`, lines: rangesOf(numbers), partial: true };
}

/** Lines in a row, those without meaning passed over. */
function longestRun(numbers: readonly number[], lines: ReadonlyMap<string, number>): number {
  const order = new Map([...lines.values()].map((number, at) => [number, at]));
  let longest = 0;
  let run = 0;
  let last = -2;
  for (const number of numbers) {
    const at = order.get(number) ?? -2;
    run = at === last + 1 ? run + 1 : 1;
    longest = Math.max(longest, run);
    last = at;
  }
  return longest;
}

function rangesOf(numbers: readonly number[]): LineRange[] {
  const ranges: { from: number; to: number }[] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && number === last.to + 1) last.to = number;
    else ranges.push({ from: number, to: number });
  }
  return ranges;
}
