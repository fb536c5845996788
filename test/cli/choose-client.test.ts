import { afterEach, expect, test } from 'vitest';
import { askOnTerminal, chosenBy, question } from '../../src/cli/choose-client.ts';

const CODE = { pid: 4711, product: 'VS Code', user: 1000 };
const CLI = { pid: 4800, product: 'Copilot CLI', user: 1000 };
const stdin = Object.getOwnPropertyDescriptor(process.stdin, 'isTTY');

afterEach(() => {
  if (stdin === undefined) Reflect.deleteProperty(process.stdin, 'isTTY');
  else Object.defineProperty(process.stdin, 'isTTY', stdin);
});

test('one client is offered, several are numbered', () => {
  expect(question([CODE])).toBe('  1  VS Code, pid 4711\nTrace this one? [Y/n] ');
  expect(question([CODE, CLI])).toBe('  1  VS Code, pid 4711\n  2  Copilot CLI, pid 4800\nTrace which one? [1-2] ');
});

test('Enter takes the only one; of several a number must be given; anything else is no', () => {
  expect([chosenBy('', [CODE]), chosenBy('Y', [CODE]), chosenBy('n', [CODE])]).toEqual([CODE, CODE, undefined]);
  expect([chosenBy(' 2\n', [CODE, CLI]), chosenBy('', [CODE, CLI])]).toEqual([CLI, undefined]);
  expect([chosenBy('3', [CODE, CLI]), chosenBy('0', [CODE, CLI]), chosenBy('-1', [CODE])]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('nobody is asked when there is no terminal', () => {
  Object.defineProperty(process.stdin, 'isTTY', { value: false, configurable: true });
  expect(askOnTerminal()).toBeNull();
});
