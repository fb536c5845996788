// Keeps the error table (src/errors.ts), its manual (docs/errors.md) and the tests in step: every code is raised somewhere in
// src/, stands in the manual beside its exit code, and is mentioned by a test; the manual knows no other code. The manual's first table covers every exit
// code of EXIT.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, finish, isSource, parseFile, rootFolder, visit } from './lib/source.mjs';

const TABLE = 'src/errors.ts';
const MANUAL = 'docs/errors.md';
const root = rootFolder();
/** @type {string[]} */
const problems = [];

/** Looks through `as const` and `satisfies`. @param {any} node */
const unwrap = (node) => {
  let inner = node;
  while (inner?.expression) inner = inner.expression;
  return inner;
};

/** @param {any} object @returns {Map<string, any>} */
const fields = (object) =>
  new Map(object.properties.map((/** @type {any} */ p) => [p.key.name ?? p.key.value, p.value]));

/** The object literal that a top-level constant is. @param {any} program @param {string} name */
const constant = (program, name) => {
  /** @type {any} */
  let found;
  visit(program, {
    VariableDeclarator: (node) => {
      if (node.id.name === name) found = unwrap(node.init);
    },
  });
  if (found?.type !== 'ObjectExpression') throw new Error(`${TABLE}: no object literal ${name}`);
  return fields(found);
};

/** @returns {Map<string, number>} code → exit code */
const readTable = () => {
  const { program } = parseFile(root, TABLE);
  const exits = constant(program, 'EXIT');
  const rows = [...constant(program, 'ERRORS')];
  return new Map(rows.map(([code, row]) => [code, exits.get(fields(unwrap(row)).get('exit').property.name).value]));
};

/** @returns {number[]} all exit codes */
const readExits = () => [...constant(parseFile(root, TABLE).program, 'EXIT').values()].map((value) => value.value);

/** Rows `| 4 | …` and `| 10–19 | …`. @param {string} text @returns {[number, number][]} first and last */
const exitRanges = (text) =>
  [...text.matchAll(/^\| (\d+)(?:–(\d+))? \|/gm)].map(([, first, last]) => [Number(first), Number(last ?? first)]);

/** All text of the files. @param {readonly string[]} paths */
const joined = (paths) => paths.map((path) => readFileSync(join(root, path), 'utf8')).join('\n');

/** @param {string} text @param {string} word */
const mentions = (text, word) => new RegExp(`\\b${word}\\b`).test(text);

const manual = existsSync(join(root, MANUAL)) ? readFileSync(join(root, MANUAL), 'utf8') : '';
const sources = joined(filesBelow(root, 'src', (path) => isSource(path) && path !== TABLE));
const isTest = (/** @type {string} */ path) => path.endsWith('.test.ts');
const tests = joined([...filesBelow(root, 'test', isTest), ...filesBelow(root, 'native/test', isTest)]);
const table = readTable();

for (const [code, exit] of table) {
  const lines = manual.split('\n').filter((line) => mentions(line, code));
  if (lines.length === 0) problems.push(`${MANUAL} does not explain ${code} of ${TABLE}`);
  else if (!lines.some((line) => mentions(line, String(exit))))
    problems.push(`${MANUAL} does not give exit code ${exit} beside ${code}, as ${TABLE} does`);
  if (!mentions(sources, code)) problems.push(`${TABLE}: nothing in src/ raises ${code}`);
  if (!mentions(tests, code)) problems.push(`${TABLE}: no test mentions ${code}`);
}
for (const code of new Set(manual.match(/\bE_[A-Z0-9_]+\b/g) ?? [])) {
  if (!table.has(code)) problems.push(`${MANUAL} explains ${code}, which ${TABLE} does not have`);
}
const ranges = exitRanges(manual);
for (const exit of readExits()) {
  if (!ranges.some(([first, last]) => first <= exit && exit <= last))
    problems.push(`${MANUAL}: the table of exit codes lacks ${exit}`);
}
finish('check-errors', problems);
