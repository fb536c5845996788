import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRulesFile } from '../../src/app/rules-file.ts';

const dir = mkdtempSync(join(tmpdir(), 'rules-'));
const file = (text: string): string => {
  const path = join(dir, 'r.yaml');
  writeFileSync(path, text);
  return path;
};

test('no file is no rules, a good file is its rules', () => {
  expect(readRulesFile(undefined)).toEqual([]);
  expect(readRulesFile(file('- class: a.b\n'))).toMatchObject([{ id: 'r.yaml:1', class: 'a.b' }]);
});

test('a file that is not there and a file that is wrong are two errors', () => {
  expect(() => readRulesFile(join(dir, 'none'))).toThrow(/cannot read the rules in .*none: there is no such file/);
  const path = file(`${'- class: a\n'.repeat(2)}- x\n${'- y\n'.repeat(8)}`);
  expect(() => readRulesFile(path)).toThrow(
    `${path}:3: a rule is a map of fields; line 4: a rule is a map of fields; line 5: a rule is a map of fields; line 6: a rule is a map of fields; line 7: a rule is a map of fields; and 4 more`,
  );
});
