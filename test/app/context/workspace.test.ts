import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from '../../../src/app/context/workspace.ts';

const root = mkdtempSync(join(tmpdir(), 'tracer-workspace-'));
mkdirSync(join(root, 'src/gen'), { recursive: true });
writeFileSync(join(root, '.gitignore'), '*.log\n/build\n.env*\n!.env.example\n');
writeFileSync(join(root, 'src', '.gitignore'), 'gen/\n!keep.log\n');
writeFileSync(join(root, '.copilotignore'), 'secrets/**\n');
writeFileSync(join(root, 'src', 'key.ts'), '// CONFIDENTIAL\n');
const marks = (path: string, rules: Parameters<Workspace['marks']>[1] = []) => new Workspace(root).marks(path, rules);

test('git’s rules hold: nearest folder first, exceptions, anchored and directory patterns', () => {
  const ignored = [
    'a.log',
    'src/a.log',
    'src/keep.log',
    'build/x',
    'src/build/x',
    '.env',
    '.env.example',
    'src/gen/a.ts',
    'a.ts',
  ];
  expect(ignored.filter((path) => marks(path).gitIgnored)).toEqual([
    'a.log',
    'src/a.log',
    'build/x',
    '.env',
    'src/gen/a.ts',
  ]);
});

test('absolute paths and URIs are found below the workspace, others are outside', () => {
  expect(marks(join(root, '.env'))).toMatchObject({ inside: '.env', gitIgnored: true });
  expect(marks(`file://${root}/src/key.ts`)).toMatchObject({ inside: 'src/key.ts', exists: true });
  for (const path of ['/etc/passwd', '../x', '~/x', 'C:/x', '']) expect(marks(path)).not.toHaveProperty('inside');
});

test('exclusion rules: globs of names in any folder, of folders from the root, without regard to case', () => {
  const rule = (...paths: string[]) => [{ paths, source: 'Repository u/app' }];
  expect(marks('deep/down/ID_RSA', rule('id_rsa')).excludedBy).toBe('Repository u/app');
  expect(marks('secrets/x/y', rule('/secrets/**')).excludedBy).toBe('Repository u/app');
  expect(marks('other/secrets/x', rule('/secrets/**')).excludedBy).toBeUndefined();
});

test('exclusion rules about content are tested on the file as it is now', () => {
  const about = (patterns: object) => [{ paths: ['*.ts'], ...patterns }];
  expect(marks('src/key.ts', about({ ifAnyMatch: ['CONFIDENTIAL'] })).excludedBy).toBe('content exclusion');
  expect(marks('src/key.ts', about({ ifAnyMatch: ['NOTHING'] })).excludedBy).toBeUndefined();
  expect(marks('src/key.ts', about({ ifNoneMatch: ['CONFIDENTIAL'] })).excludedBy).toBeUndefined();
  expect(marks('src/key.ts', about({ ifAnyMatch: ['('] })).excludedBy).toBeUndefined();
});

test('.copilotignore is told apart from git', () => {
  expect(marks('secrets/a')).toMatchObject({ copilotIgnored: true, gitIgnored: false });
});
