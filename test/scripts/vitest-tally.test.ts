import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/** The last lines and the exit code of a run over one file of tests, each of which may be tried twice. */
function run(tests: string): { lines: string[]; code: number | null } {
  mkdirSync(join(ROOT, 'build'), { recursive: true });
  const dir = mkdtempSync(join(ROOT, 'build', 'tally-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  writeFileSync(join(dir, 'it.test.ts'), `import { beforeAll, describe, expect, it } from 'vitest';\n${tests}`);
  writeFileSync(join(dir, 'vitest.config.ts'), 'export default { test: { retry: 1 } };');
  const reporter = `--reporter=${join(ROOT, 'scripts/vitest-tally.mjs')}`;
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const { stdout, status } = spawnSync(process.execPath, [vitest, 'run', '--root', dir, reporter], {
    encoding: 'utf8',
  });
  return { lines: stdout.trim().split('\n'), code: status };
}

it('counts, and names the test that needed its second try', () => {
  const { lines, code } = run(`
    let tries = 0;
    it('flakes', () => expect(++tries).toBe(2));
    it('passes', () => {});
    it.skip('skips', () => {});`);
  expect(lines).toEqual(['passed on its second try: it.test.ts > flakes', '2 passed, 0 failed, 1 skipped']);
  expect(code).toBe(0);
});

it('counts a test that fails twice, and a describe that could not begin', () => {
  const { lines, code } = run(`
    it('fails', () => expect(1).toBe(2));
    describe('group', () => { beforeAll(() => { throw new Error('no'); }); it('never runs', () => {}); });`);
  expect(lines.at(-1)).toBe('0 passed, 2 failed, 1 skipped');
  expect(code).toBe(1);
});
