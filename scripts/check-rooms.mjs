// Keeps the rooms apart: reads src/rooms.json (which room may import which) and every import line under src/. Refuses an
// unlisted pair, a cycle among rooms, an unlisted package or builtin, an import past another room's index.ts, and in core
// rooms everything that is not a function of its input: the clock, randomness, async. Its messages name both files and the rule.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { filesBelow, finish, isSource, lineOf, parseFile, rootFolder, visit } from './lib/source.mjs';

/** @typedef {{ kind: 'core' | 'edge', imports: string[], packages?: string[], builtins?: string[], doors?: string[] }} Room */
/** @typedef {{ specifier: string, line: number }} Import */

const root = rootFolder();
/** @type {Record<string, Room>} */
const rooms = JSON.parse(readFileSync(join(root, 'src/rooms.json'), 'utf8')).rooms;
/** @type {string[]} */
const problems = [];

/** The room of a path under src/; src/errors.ts stands alone and everybody may import it. @param {string} path */
const roomOf = (path) => path.split('/')[1]?.replace(/\.ts$/, '') ?? '';

/** @param {any} program @param {string} text @returns {Import[]} */
const importsOf = (program, text) => {
  /** @type {Import[]} */
  const found = [];
  const add = (/** @type {any} */ node) => {
    if (node.source?.value !== undefined) found.push({ specifier: node.source.value, line: lineOf(text, node.start) });
  };
  visit(program, {
    ImportDeclaration: add,
    ExportNamedDeclaration: add,
    ExportAllDeclaration: add,
    ImportExpression: add,
    TSImportType: add,
  });
  return found;
};

/** @param {string} specifier */
const packageOf = (specifier) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** @param {string} from @param {string} target @returns {string | undefined} the rule that is broken */
const brokenRule = (from, target) => {
  const [own, other] = [roomOf(from), roomOf(target)];
  if (!target.startsWith('src/')) return 'an import may not leave src/';
  if (own === other || other === 'errors') return undefined;
  const room = rooms[own];
  if (!room) return `room "${own}" is not listed in src/rooms.json`;
  if (!rooms[other]) return `room "${other}" is not listed in src/rooms.json`;
  if (!room.imports.includes(other)) return `room "${own}" may not import room "${other}" (src/rooms.json)`;
  const doors = rooms[other].doors ?? ['index.ts'];
  if (!doors.some((door) => target === `src/${other}/${door}`))
    return `another room is imported only through its ${doors.join(' or ')}`;
  return undefined;
};

/** @param {string} from @param {string} specifier */
const brokenPackageRule = (from, specifier) => {
  const own = roomOf(from);
  const room = rooms[own] ?? { kind: 'core', imports: [] };
  if (specifier.startsWith('node:')) {
    const allowed = room.builtins?.includes(specifier) ?? room.kind === 'edge';
    return allowed ? undefined : `room "${own}" may not use the builtin ${specifier} (${room.kind} room)`;
  }
  const isListed = room.packages?.includes(packageOf(specifier));
  return isListed ? undefined : `room "${own}" may not use the package ${packageOf(specifier)} (src/rooms.json)`;
};

/** @param {string} from @param {Import} found */
const checkImport = (from, { specifier, line }) => {
  const isRelative = specifier.startsWith('.');
  const target = isRelative ? normalize(join(dirname(from), specifier)) : specifier;
  const rule = isRelative ? brokenRule(from, target) : brokenPackageRule(from, specifier);
  if (rule) problems.push(`${from}:${line} imports ${target}: ${rule}`);
  else if (isRelative && !existsSync(join(root, target)))
    problems.push(`${from}:${line} imports ${target}: no such file`);
};

/** Names whose value differs between two runs on the same input. */
const IMPURE = new Set(['Date.now', 'Math.random', 'performance.now', 'crypto.getRandomValues', 'crypto.randomUUID']);

/** @param {string} path @param {any} program @param {string} text */
const checkPurity = (path, program, text) => {
  const refuse = (/** @type {any} */ node, /** @type {string} */ what) => {
    problems.push(
      `${path}:${lineOf(text, node.start)} uses ${what}: a core room is a function of its input (src/rooms.json: "core")`,
    );
  };
  const onFunction = (/** @type {any} */ node) => node.async && refuse(node, 'async');
  visit(program, {
    FunctionDeclaration: onFunction,
    FunctionExpression: onFunction,
    ArrowFunctionExpression: onFunction,
    AwaitExpression: (node) => refuse(node, 'await'),
    ForOfStatement: (node) => node.await && refuse(node, 'await'),
    NewExpression: (node) => node.callee.name === 'Date' && node.arguments.length === 0 && refuse(node, 'new Date()'),
    MemberExpression: (node) => {
      const name = `${node.object.name}.${node.property.name}`;
      if (IMPURE.has(name)) refuse(node, name);
    },
  });
};

/** Depth-first over the listed pairs. @param {string} room @param {readonly string[]} trail */
const findCycle = (room, trail) => {
  if (trail.includes(room)) {
    problems.push(
      `src/rooms.json: rooms import each other in a cycle: ${[...trail.slice(trail.indexOf(room)), room].join(' → ')}`,
    );
    return true;
  }
  for (const next of rooms[room]?.imports ?? []) if (findCycle(next, [...trail, room])) return true;
  return false;
};

Object.keys(rooms).some((room) => findCycle(room, []));
for (const path of filesBelow(root, 'src', isSource)) {
  const { program, text } = parseFile(root, path);
  for (const found of importsOf(program, text)) checkImport(path, found);
  if (rooms[roomOf(path)]?.kind === 'core') checkPurity(path, program, text);
}
finish('check-rooms', problems);
