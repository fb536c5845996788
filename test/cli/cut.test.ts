import { expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';

const run = (...args: string[]) => createProgram().parseAsync(['node', 'tracer', ...args]);

test.each([
  [['cut', 'a.trc'], 'name the recording and the file to write'],
  [['cut', '-', 'b.trc'], 'standard input cannot be read twice'],
  [['cut', 'a.trc', 'b.trc', 'a.trc'], 'a.trc is to be read and written'],
])('%j is refused: %s', async (args, text) => {
  await expect(run(...args)).rejects.toMatchObject({ code: 'E_CLI_USAGE', message: expect.stringContaining(text) });
});
