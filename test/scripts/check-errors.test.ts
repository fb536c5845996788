import { expect, test } from 'vitest';
import { runChecker } from './tree.ts';

const TABLE = `export const EXIT = { ok: 0, use: 2, noTls: 13 } as const;
export const ERRORS = {
  E_CLI_USAGE: { text: '{what}', hint: 'Run it.', exit: EXIT.use },
  E_TARGET_NO_TLS: { text: 'none', hint: 'Check it.', exit: EXIT.noTls },
} as const satisfies Record<string, object>;`;

const EXITS = '| 0 | fine |\n| 2–5 | the command line |\n| 13 | the target |\n';
const GOOD = {
  'src/errors.ts': TABLE,
  'src/cli/main.ts': "throw new TracerError('E_CLI_USAGE'); throw new TracerError('E_TARGET_NO_TLS');",
  'docs/errors.md': `${EXITS}| \`E_CLI_USAGE\` | 2 |\n| \`E_TARGET_NO_TLS\` | 13 |\n`,
  'test/cli/main.test.ts': "expect(code).toBe('E_CLI_USAGE', 'E_TARGET_NO_TLS');",
};

const check = (changes: Readonly<Record<string, string>>) => runChecker('check-errors', { ...GOOD, ...changes });

test('a table, a manual and tests that agree pass', () => {
  expect(check({})).toEqual({ exitCode: 0, problems: [] });
});

test('a code that the manual does not explain is refused', () => {
  expect(check({ 'docs/errors.md': `${EXITS}| \`E_CLI_USAGE\` | 2 |` }).problems).toEqual([
    'docs/errors.md does not explain E_TARGET_NO_TLS of src/errors.ts',
  ]);
});

test('another exit code in the manual than in the table is refused', () => {
  expect(check({ 'docs/errors.md': `${EXITS}| \`E_CLI_USAGE\` | 2 |\n| \`E_TARGET_NO_TLS\` | 5 |` }).problems).toEqual([
    'docs/errors.md does not give exit code 13 beside E_TARGET_NO_TLS, as src/errors.ts does',
  ]);
});

test('an exit code that the table of exit codes lacks is refused', () => {
  const lacking = GOOD['docs/errors.md'].replace('| 13 | the target |\n', '').replace('2–5', '2–12');
  expect(check({ 'docs/errors.md': lacking }).problems).toEqual(['docs/errors.md: the table of exit codes lacks 13']);
});

test('a code that only the manual knows is refused', () => {
  expect(check({ 'docs/errors.md': `${GOOD['docs/errors.md']}| \`E_OLD_ONE\` | 9 |` }).problems).toEqual([
    'docs/errors.md explains E_OLD_ONE, which src/errors.ts does not have',
  ]);
});

test('a code that nothing raises and no test mentions is refused', () => {
  const run = check({ 'src/cli/main.ts': "throw 'E_CLI_USAGE';", 'test/cli/main.test.ts': "expect('E_CLI_USAGE');" });
  expect(run).toEqual({
    exitCode: 1,
    problems: [
      'src/errors.ts: nothing in src/ raises E_TARGET_NO_TLS',
      'src/errors.ts: no test mentions E_TARGET_NO_TLS',
    ],
  });
});
