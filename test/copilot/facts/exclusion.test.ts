import { expect, it } from 'vitest';
import { exclusionFacts } from '../../../src/copilot/facts/exclusion.ts';

it('joins each list of rules with the repository that it was asked for', () => {
  const response = JSON.stringify([
    { rules: [{ paths: ['**/secrets/**'], source: { name: 'acme', type: 'Organization' } }] },
    { rules: [{ paths: ['*.pem'], ifAnyMatch: ['^KEY'] }] },
  ]);
  const path = '/copilot_internal/content_exclusion?repos=acme%2Fone,acme%2Ftwo';
  expect(exclusionFacts({ path, request: '', response })).toEqual({
    facts: 'exclusion',
    repositories: ['acme/one', 'acme/two'],
    rules: [
      { repository: 'acme/one', paths: ['**/secrets/**'], source: 'Organization acme' },
      { repository: 'acme/two', paths: ['*.pem'], ifAnyMatch: ['^KEY'] },
    ],
  });
});

it('has no rules where the plan has none', () => {
  expect(exclusionFacts({ path: null, request: '', response: '{"message":"Not Found"}' })).toEqual({
    facts: 'exclusion',
    rules: [],
  });
});
