import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { createFrame } from '../../src/cli/frame.ts';
import { main } from '../../src/cli/main.ts';
import { createProgram } from '../../src/cli/program.ts';
import { addPs } from '../../src/cli/ps.ts';

const CLI = fileURLToPath(new URL('../../src/cli', import.meta.url));

/** A run leaves what it does about crashes behind: vitest has its own. */
const CRASHES = ['uncaughtException', 'unhandledRejection'];
const before = new Map(CRASHES.map((event) => [event, process.rawListeners(event)]));

afterEach(() => {
  vi.restoreAllMocks();
  for (const event of CRASHES)
    for (const listener of process.rawListeners(event))
      if (!before.get(event)?.includes(listener)) process.removeListener(event, listener as () => void);
  process.exitCode = undefined;
});

/** Packages that a file needs before its first line runs, its own imports' included. */
function packagesOf(file: string, seen = new Set<string>()): Set<string> {
  const packages = new Set<string>();
  if (seen.has(file)) return packages;
  seen.add(file);
  const source = readFileSync(file, 'utf8');
  for (const [, name = ''] of source.matchAll(/^(?:import|export)(?! type)[^;]*? from '([^']+)'/gm)) {
    if (!name.startsWith('.')) packages.add(name);
    else for (const inner of packagesOf(join(dirname(file), name), seen)) packages.add(inner);
  }
  return packages;
}

test('what has to be quick loads no sink’s library, no addon, no dialect', () => {
  const packages = [...packagesOf(join(CLI, 'main.ts')), ...packagesOf(join(CLI, 'ps.ts'))];
  const libraries = new Set(packages.filter((name) => !name.startsWith('node:')).map((name) => name.split('/')[0]));
  expect([...libraries].sort()).toEqual(['@noble', 'commander', 'pino']);
  expect(packagesOf(join(CLI, 'program.ts')).size).toBeGreaterThan(new Set(packages).size);
});

test('the quick `ps` understands what the whole program’s does', () => {
  const help = (program: ReturnType<typeof createProgram>) =>
    program.commands.find((command) => command.name() === 'ps')?.helpInformation();
  expect(help(createFrame([addPs]))).toBe(help(createProgram()));
});

test.each([
  [['--version'], 0, /^\d+\.\d+\.\d+\n$/],
  [['ps', '--help'], 0, /^Usage: tracer ps /],
  [['--help'], 0, /^Usage: tracer .*attach.*tail/s],
  [['ps', '--jso'], 2, /^$/],
])('tracer %j ends with exit code %i', async (args, code, output) => {
  let text = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((part) => {
    text += String(part);
    return true;
  });
  await main(['node', 'tracer', ...args]);
  expect([text, process.exitCode ?? 0]).toEqual([expect.stringMatching(output), code]);
});
