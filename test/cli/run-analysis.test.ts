process.env.TZ = 'UTC';

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { scratch } from '../kit/recording.ts';

const SESSION = fileURLToPath(new URL('../sessions/session-store/session.trc', import.meta.url));

afterEach(() => {
  process.exitCode = undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(signal);
});

/** What a command line writes to its output file, and its exit code. */
async function run(...args: readonly string[]) {
  const output = scratch('out');
  await main(['node', 'tracer', ...args, '-o', output, '--log-level', 'silent']);
  return { text: readFileSync(output, 'utf8'), code: process.exitCode };
}

test('a command writes text for people, or one JSON object per line', async () => {
  const people = await run('conversations', SESSION);
  expect(people).toMatchObject({
    code: 0,
    text: expect.stringMatching(/agent\.turn +1 +4 +3 .* What did I work on last week\?\n$/),
  });
  const { text } = await run('conversations', SESSION, '--json');
  expect(
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).type),
  ).toEqual(['conversation']);
});

test('show takes what to show, models reads the same recording', async () => {
  expect((await run('show', SESSION, '1.1')).text).toMatch(/^Turn 1\.1 {2}[\s\S]*schema query answered/);
  expect((await run('models', SESSION)).text).toContain('Premium requests');
});

test('rules of the user name the calls, and a wrong file of rules is refused', async () => {
  const rules = scratch('rules.yaml');
  writeFileSync(rules, '- class: acme.chat\n  path: ^/chat/completions$\n  dialect: openai-chat\n');
  expect((await run('show', SESSION, 'c1.1', '--rules', rules)).text).toContain('named by   rules.yaml:1: any host');
  writeFileSync(rules, '- clas: acme.chat\n');
  await main(['node', 'tracer', 'show', SESSION, '--rules', rules]);
  expect(process.exitCode).toBe(61);
});

test('a turn that is not there ends with the exit code of a wrong command line', async () => {
  await main(['node', 'tracer', 'show', SESSION, '9.9']);
  expect(process.exitCode).toBe(2);
});
