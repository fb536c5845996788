// What the checkers share: the list of source files of a tree and their syntax, through the parser that vite brings along.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parseSync, Visitor } from 'vite';

/** Root of the tree to check: the checkout, or `--root DIR` (tests of the checkers). */
export function rootFolder() {
  const { values } = parseArgs({ options: { root: { type: 'string' } } });
  return values.root ?? fileURLToPath(new URL('../..', import.meta.url));
}

/**
 * Files below `folder` whose path passes, relative to `root`, sorted; none when the folder is absent.
 * @param {string} root @param {string} folder @param {(path: string) => boolean} wanted
 */
export function filesBelow(root, folder, wanted) {
  /** @type {import('node:fs').Dirent[]} */
  let entries;
  try {
    entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return [];
    throw error;
  }
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
  return paths.filter((path) => !path.includes('node_modules') && wanted(path)).sort();
}

/** TypeScript that people write, and generated JavaScript that stands beside it. @param {string} path */
export const isSource = (path) => (path.endsWith('.ts') && !path.endsWith('.d.ts')) || path.endsWith('.gen.js');

/** @param {string} root @param {string} path @returns {{ text: string, program: any }} */
export function parseFile(root, path) {
  const text = readFileSync(join(root, path), 'utf8');
  const { program, errors } = parseSync(path, text, { lang: path.endsWith('.js') ? 'js' : 'ts' });
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  return { text, program };
}

/** Calls the handlers for each node of that kind. @param {any} program @param {Record<string, (node: any) => void>} handlers */
export function visit(program, handlers) {
  new Visitor(handlers).visit(program);
}

/** Line number, from 1. @param {string} text @param {number} offset */
export const lineOf = (text, offset) => text.slice(0, offset).split('\n').length;

/** Ends the checker: prints the problems and sets the exit code. @param {string} name @param {readonly string[]} problems */
export function finish(name, problems) {
  for (const problem of problems) console.error(`${name}: ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}
