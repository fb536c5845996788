// docs/limits.md against the code: each number is the constant that it names, and no limit of a decoder is missing.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, expect, it } from 'vitest';

interface Row {
  readonly name: string;
  readonly value: string;
  /** Files and folders that the heading names. */
  readonly places: readonly string[];
}

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  Ki: 1024,
  KiB: 1024,
  Mi: 1024 ** 2,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
};

/** Facts of a format, not bounds that were chosen. */
const NO_LIMITS = new Set(['MAX_CODE_BITS', 'MAX_OFFSET_CODE', 'MATCH_MAX', 'HEAD_MAX_BYTES']);

function readRows(): Row[] {
  const rows: Row[] = [];
  let places: string[] = [];
  for (const line of readFileSync('docs/limits.md', 'utf8').split('\n')) {
    if (line.startsWith('## ')) places = [...line.matchAll(/`([^`]+)`/g)].map(([, place]) => place as string);
    const [, name, value] = /^\| `([A-Za-z_.]+)`[^|]*\| ([^|]+) \|/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) rows.push({ name, value: value.trim(), places });
  }
  return rows;
}

function numberOf(value: string): number {
  const [, digits = '', unit = ''] = /^([\d,]+) ?([A-Za-z]*)$/.exec(value) ?? [];
  return Number(digits.replaceAll(',', '')) * (UNITS[unit] ?? Number.NaN);
}

/** A file, `name*.ts` of a folder, or all sources below a folder. */
function filesOf(place: string): string[] {
  if (!place.endsWith('.ts')) {
    const names = readdirSync(place, { recursive: true, encoding: 'utf8' });
    return names.filter((name) => name.endsWith('.ts')).map((name) => `${place}/${name}`);
  }
  if (!place.includes('*')) return [place];
  const [start = '', end = ''] = basename(place).split('*');
  const names = readdirSync(dirname(place)).filter((name) => name.startsWith(start) && name.endsWith(end));
  return names.map((name) => `${dirname(place)}/${name}`);
}

const source = (file: string): string => readFileSync(file, 'utf8');

/** Values that the constant has in the files that the heading names: a product, a shift, or another constant times a number. */
function constantsOf({ name, places }: Row): number[] {
  const [object, property] = name.split('.');
  const pattern =
    property === undefined
      ? new RegExp(`^(?:export )?const ${name}(?:: number)? = ([^;]+);`, 'gm')
      : new RegExp(`const ${object}\\b[^=]*= \\{[^}]*?\\b${property}: ([\\d_ *<]+)`, 'g');
  return places
    .flatMap(filesOf)
    .flatMap((file) => [...source(file).matchAll(pattern)].map(([, text]) => evaluate(text as string)));
}

function evaluate(text: string): number {
  const plain = text.replaceAll('_', '');
  if (!/^[\d\s*<]+$/.test(plain)) return Number.NaN;
  const [base = '', shift = '0'] = plain.split('<<');
  return base.split('*').reduce((product, factor) => product * Number(factor), 1) * 2 ** Number(shift);
}

const rows = readRows();

it('has the limits of every room that reads the wire', () => {
  expect(rows.length).toBeGreaterThan(60);
});

it.each(rows.map((row) => [row.name, row.places.join(' '), row] as const))(
  '%s of %s is as documented',
  (_, __, row) => {
    expect(constantsOf(row)).toEqual([numberOf(row.value)]);
  },
);

describe.each(['src/bytes', 'src/protocols', 'src/engine', 'src/dialects'])('%s', (room) => {
  it('has no limit that is not documented', () => {
    const named = new Set(rows.map(({ name }) => name));
    const limits = filesOf(room).flatMap((file) =>
      [...source(file).matchAll(/^(?:export )?const ((?:MAX|\w*_LIMIT|\w*_CAP)_\w+|\w+_MAX|EVICTED_MEMORY)\b/gm)].map(
        ([, name]) => name as string,
      ),
    );
    expect(limits.filter((name) => !named.has(name) && !NO_LIMITS.has(name))).toEqual([]);
  });
});
