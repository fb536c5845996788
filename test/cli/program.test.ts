import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';

/** What the program prints on a command line that does not start anything. */
function outputOf(args: readonly string[]): { text: string; code: string } {
  const program = createProgram();
  let text = '';
  const output = { writeOut: (part: string) => (text += part), writeErr: (part: string) => (text += part) };
  for (const command of [program, ...program.commands]) command.configureOutput(output);
  try {
    program.parse(['node', 'tracer', ...args]);
    return { text, code: '' };
  } catch (error) {
    return { text: `${text}${(error as Error).message}`, code: String((error as { code?: string }).code) };
  }
}

test('the help names every command in the order in which people need them', () => {
  const { text } = outputOf(['--help']);
  const names = [...text.matchAll(/^ {2}(\w+) .*/gm)].map((match) => match[1]);
  expect(names.slice(0, 3)).toEqual(['attach', 'run', 'replay']);
  expect(names).toEqual(expect.arrayContaining(['ps', 'doctor']));
});

test('commands and the many options of a capture stand below headings', () => {
  const headings = (args: readonly string[]) => outputOf(args).text.match(/^[A-Z].*:$/gm);
  expect(headings(['--help'])?.slice(1, 3)).toEqual(['Capture (as root):', 'Look at a recording:']);
  const about = ['Targets:', 'What is shown:', 'What is kept:', 'How it runs:'];
  expect(headings(['attach', '--help'])?.slice(0, 4)).toEqual(about);
});

test('no description breaks a line inside a sentence: the terminal’s width does', () => {
  for (const command of createProgram().commands) expect(command.description()).not.toMatch(/[^.:]\n/);
});

test('each command’s help explains it by example', () => {
  for (const command of ['attach', 'run', 'replay']) expect(outputOf([command, '--help']).text).toContain('Examples:');
});

test.each([
  [['attach', '--pid', '1', '--name', 'code'], "option '-p, --pid <pid>' cannot be used with option '--name <glob>'"],
  [['attach', '--all', '--exe', '/bin/x'], "option '--all' cannot be used with option '--exe <path>'"],
  [['attach', '--pid', 'x'], 'expected a whole number'],
  [['attach', '--pid', '1', '--ring-size', '17M'], 'power of two'],
  [['attach', '--pid', '1', '--colour'], 'unknown option'],
  [['replay', '--speed', 'fast', 'a'], 'expected 1x, 10x'],
  [['attach', '--pid', '1', '--rotate', '7'], 'expected a size from 256K'],
  [['report', 'a.trc', '--format', 'md', '--json'], "cannot be used with option '--json'"],
  [['replay'], "missing required argument 'files'"],
  [['run'], "missing required argument 'command'"],
  [['trace'], "unknown command 'trace'"],
])('%j is refused: %s', (args, message) => expect(outputOf(args).text).toContain(message));

test('--version prints the version of the package', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(outputOf(['--version']).text).toMatch(new RegExp(`^${version}\n`));
});
