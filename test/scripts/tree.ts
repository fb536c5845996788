// A throw-away source tree for the tests of the checkers, and a run of a checker on it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface CheckerRun {
  readonly exitCode: number | null;
  /** Lines of stderr, without the checker's name in front. */
  readonly problems: readonly string[];
}

/** Writes the files into a new folder, runs `scripts/<checker>.mjs --root` on it, removes the folder. */
export function runChecker(checker: string, files: Readonly<Record<string, string>>): CheckerRun {
  const root = mkdtempSync(join(tmpdir(), 'tracer-check-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    const script = fileURLToPath(new URL(`../../scripts/${checker}.mjs`, import.meta.url));
    const { status, stderr } = spawnSync(process.execPath, [script, '--root', root], { encoding: 'utf8' });
    const lines = stderr.split('\n').filter((line) => line !== '');
    return { exitCode: status, problems: lines.map((line) => line.replace(`${checker}: `, '')) };
  } finally {
    rmSync(root, { recursive: true });
  }
}
