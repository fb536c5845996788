import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ContextBy, context } from '../../../src/app/index.ts';
import { writeSession } from './session.ts';

const folder = mkdtempSync(join(tmpdir(), 'tracer-context-'));
const file = writeSession(folder);
const log = { debug() {}, info() {}, warn() {}, error() {} };

const ask = (by: ContextBy, workspace?: string) =>
  context(file, { by, workspace, reveal: false, log, stop: new AbortController().signal, key: new Uint8Array(32) });

type Row = Readonly<Record<string, unknown>>;
const rowsBy = async (by: ContextBy, workspace?: string) => [...(await ask(by, workspace)).json] as Row[];
const textBy = async (by: ContextBy, workspace?: string) => `${[...(await ask(by, workspace)).text].join('\n')}\n`;

test('by file: a completion inside .env and a .env pulled in by recent edits are told apart', async () => {
  const rows = await rowsBy('file');
  const env = rows.find(({ path }) => path === '.env');
  expect(env).toMatchObject({
    hidden: true,
    implicit: true,
    calls: 4,
    hosts: { 'proxy.individual.githubcopilot.com': 2 },
  });
  expect(env?.['mechanisms']).toMatchObject([
    { kind: 'withheld-reference', calls: 2 },
    { kind: 'file-prefix', calls: 1 },
    { kind: 'file-suffix', calls: 1 },
    { kind: 'recent-edit', calls: 1 },
  ]);
});

test('by file: lines come from selections and from the arguments of the tool that read it', async () => {
  const main = (await rowsBy('file')).find(({ path }) => path === '/home/u/app/src/main.ts' || path === 'src/main.ts');
  expect(main).toMatchObject({ lines: [{ from: 1, to: 40 }] });
});

test('the answers by file, call and kind, as people see them', async () => {
  await expect(await textBy('file')).toMatchFileSnapshot('golden/by-file.txt');
  await expect(await textBy('call')).toMatchFileSnapshot('golden/by-call.txt');
  await expect(await textBy('kind')).toMatchFileSnapshot('golden/by-kind.txt');
});

test('sums fit together: every item of a call is counted once, new ones where they were first', async () => {
  for (const row of await rowsBy('call')) {
    const items = row['items'] as { bytes: number; isNew: boolean }[];
    expect(row['bytes']).toBe(items.reduce((sum, item) => sum + item.bytes, 0));
    expect(row['newBytes']).toBe(items.reduce((sum, item) => sum + (item.isNew ? item.bytes : 0), 0));
  }
});

test('a workspace that is no folder is refused: every file would be called outside of it', async () => {
  const refused = { code: 'E_CLI_USAGE', message: expect.stringContaining('is no folder') };
  await expect(ask('file', join(folder, 'none'))).rejects.toMatchObject(refused);
  await expect(ask('file', file)).rejects.toMatchObject(refused);
});

test('a workspace marks what git ignores and what the organisation excludes', async () => {
  const workspace = mkdtempSync(join(tmpdir(), 'tracer-workspace-'));
  writeFileSync(join(workspace, '.gitignore'), '.env\n');
  writeFileSync(join(workspace, '.copilotignore'), 'notes.md\n');
  mkdirSync(join(workspace, 'src'));
  writeFileSync(join(workspace, 'src', 'c.ts'), '');
  const rows = await rowsBy('file', workspace);
  const of = (path: string) => rows.find((row) => row['path'] === path)?.['workspace'];
  expect(of('.env')).toMatchObject({ gitIgnored: true, exists: false });
  expect(of('src/c.ts')).toMatchObject({ gitIgnored: false, exists: true, inside: 'src/c.ts' });
  expect(of('notes.md')).toMatchObject({ copilotIgnored: true });
  expect(await textBy('file', workspace)).toContain('.env   [hidden, not in the workspace now, git-ignored]');
});
