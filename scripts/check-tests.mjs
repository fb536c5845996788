// Keeps test/ a mirror of src/: each source file has a test file at the same path. Exempt are files without behaviour (types,
// re-exports, constants that compute nothing), generated files, and those listed with a reason in test/exceptions.json. An
// exception fails when it is no longer needed, or when the test file that its reason names has gone.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, finish, isSource, parseFile, rootFolder, visit } from './lib/source.mjs';

const LIST = 'test/exceptions.json';
const root = rootFolder();
/** @type {Record<string, string>} */
const exceptions = existsSync(join(root, LIST)) ? JSON.parse(readFileSync(join(root, LIST), 'utf8')) : {};
/** @type {string[]} */
const problems = [];

const TYPE_STATEMENTS = new Set([
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
  'ImportDeclaration',
  'ExportAllDeclaration',
  'TSDeclareFunction',
]);

/** True when the expression is a value as written: no call, no function. @param {any} declaration */
const isPlainConstant = (declaration) => {
  let isPlain = true;
  const found = () => {
    isPlain = false;
  };
  visit(
    { type: 'Program', body: [declaration], sourceType: 'module' },
    {
      CallExpression: found,
      NewExpression: found,
      ArrowFunctionExpression: found,
      FunctionExpression: found,
      ClassExpression: found,
      TaggedTemplateExpression: found,
    },
  );
  return isPlain;
};

/** True for a statement that does nothing when the program runs. @param {any} node @returns {boolean} */
const isInert = (node) => {
  if (node.type === 'ExportNamedDeclaration') return !node.declaration || isInert(node.declaration);
  if (node.type === 'VariableDeclaration') return isPlainConstant(node);
  return TYPE_STATEMENTS.has(node.type);
};

/** @param {string} path */
const hasBehaviour = (path) => !parseFile(root, path).program.body.every(isInert);

/** @param {string} path */
const testOf = (path) => path.replace(/^src\//, 'test/').replace(/\.ts$/, '.test.ts');

const sources = filesBelow(root, 'src', (path) => isSource(path) && !path.includes('.gen.'));
for (const path of sources) {
  const isTested = existsSync(join(root, testOf(path)));
  const isExcused = path in exceptions;
  if (isTested && isExcused) problems.push(`${LIST}: ${path} has a test now (${testOf(path)}): remove the exception`);
  if (isTested || isExcused) continue;
  if (hasBehaviour(path))
    problems.push(`${path} has no test: write ${testOf(path)}, or say in ${LIST} why none is needed`);
}
for (const [path, reason] of Object.entries(exceptions)) {
  if (!sources.includes(path)) problems.push(`${LIST}: ${path} does not exist: remove the exception`);
  else if (!hasBehaviour(path)) problems.push(`${LIST}: ${path} has no behaviour to test: remove the exception`);
  for (const [named] of reason.matchAll(/test\/[\w./-]+\.(?:test\.)?ts/g)) {
    if (!existsSync(join(root, named))) problems.push(`${LIST}: ${path} refers to ${named}, which does not exist`);
  }
}
finish('check-tests', problems);
