import { expect, it } from 'vitest';
import { findPersonal } from '../../src/privacy/personal.ts';

it('finds e-mail addresses, home folders and repository addresses of a person', () => {
  const text =
    'mail ann.lee@corp-mail.com, /home/annlee/app/a.ts, C:\\Users\\annlee\\x, https://annlee@dev.azure.com/x';
  expect(findPersonal(text).map(({ kind, secret }) => [kind, secret])).toEqual([
    ['personal-email', 'ann.lee@corp-mail.com'],
    ['personal-email', 'annlee@dev.azure.com'],
    ['personal-home', 'annlee'],
    ['personal-home', 'annlee'],
    ['personal-remote', 'annlee'],
  ]);
});

it('passes over examples, versions and shared accounts', () => {
  const text =
    'user@example.com git@github.com:a/b react@18.2.0 /home/runner/work noreply@x.com icon@2x.png /Users/Shared/';
  expect(findPersonal(text)).toEqual([]);
});
