// What attach and run refuse before anything is attached.
import { expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';

const attach = (...args: string[]) =>
  createProgram().parseAsync(['node', 'tracer', 'attach', '--pid', String(process.pid), ...args]);

test.each([
  [['--otlp-content'], 'E_CLI_USAGE', '--otlp-content needs --otlp'],
  [['--reveal', '--otlp', 'http://127.0.0.1:1'], 'E_CLI_USAGE', 'add --reveal-to-otlp'],
  [['--otlp', 'localhost:4318'], 'E_OTLP_ADDRESS', 'not an address of a collector'],
  [['--rotate', '1h'], 'E_CLI_USAGE', '--rotate needs --record'],
  [['--record-encrypt'], 'E_CLI_USAGE', '--record-encrypt needs --record'],
])('%j is refused: %s', async (args, code, text) => {
  await expect(attach(...args)).rejects.toMatchObject({ code, message: expect.stringContaining(text) });
});
