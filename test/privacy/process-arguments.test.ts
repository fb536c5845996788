import { expect, it } from 'vitest';
import { maskArguments } from '../../src/privacy/process-arguments.ts';

const masked = (...args: string[]): string[] => maskArguments(args, (secret, kind) => `<${kind} ${secret.length}>`);

it('replaces the value behind an option of a secret name, whatever it looks like', () => {
  expect(masked('x', '--api-key', 'abc', '--token=de', '-password', 'f')).toEqual([
    'x',
    '--api-key',
    '<secret 3>',
    '--token=<secret 2>',
    '-password',
    '<secret 1>',
  ]);
});

it('replaces name and password behind -u', () => {
  expect(masked('curl', '-u', 'me:pw', '-u', 'me')).toEqual(['curl', '-u', '<user-info 5>', '-u', 'me']);
});

it('leaves other options and the next option alone', () => {
  const args = ['node', '--max-tokens', '100', '--token', '--verbose', '--type=utility', 'token', 'word'];
  expect(masked(...args)).toEqual(args);
});

it('searches every argument as text', () => {
  expect(masked('-H', 'Authorization: Bearer abcdef1234567')).toEqual(['-H', 'Authorization: Bearer <secret 13>']);
});

it('knows short options whose value is a secret, unless it is the path of a file', () => {
  expect(masked('x', '--auth', 'a:b', '--pat', 'c', '--key', 'd', '--key', './server.pem', '--pass', '-v')).toEqual([
    'x',
    '--auth',
    '<secret 3>',
    '--pat',
    '<secret 1>',
    '--key',
    '<secret 1>',
    '--key',
    './server.pem',
    '--pass',
    '-v',
  ]);
});

it('knows the password options of programs that have one of a single letter', () => {
  expect(masked('/usr/bin/mysql', '-psecret', '-p', 'db')).toEqual(['/usr/bin/mysql', '-p<secret 6>', '-p', 'db']);
  expect(masked('sshpass', '-p', 'ab', 'ssh', '-p', '22')).toEqual([
    'sshpass',
    '-p',
    '<secret 2>',
    'ssh',
    '-p',
    '<secret 2>',
  ]);
  expect(masked('redis-cli', '-h', 'x', '-a', 'ab')).toEqual(['redis-cli', '-h', 'x', '-a', '<secret 2>']);
  expect(masked('node', '-pe', '1')).toEqual(['node', '-pe', '1']);
});
