import { expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';

const run = (...args: string[]) => createProgram().parseAsync(['node', 'tracer', ...args]);

test.each([
  [['export', 'a.trc'], 'no format chosen'],
  [['export', 'a.trc', '--pcapng', 'a.pcapng'], '--pcapng writes plaintext with all its secrets: say --raw as well'],
  [['export', 'a.trc', '--reveal', '--otlp', 'http://127.0.0.1:1'], 'add --reveal-to-otlp'],
])('%j is refused: %s', async (args, text) => {
  await expect(run(...args)).rejects.toMatchObject({ code: 'E_CLI_USAGE', message: expect.stringContaining(text) });
});
