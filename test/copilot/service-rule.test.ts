import { expect, it } from 'vitest';
import { ACCOUNT, MODELS } from '../../src/copilot/classes-account.ts';
import { AGENTS } from '../../src/copilot/classes-agents.ts';
import { AROUND, PLATFORM } from '../../src/copilot/classes-platform.ts';
import { SEARCH } from '../../src/copilot/classes-search.ts';
import { keeps, rule } from '../../src/copilot/service-rule.ts';

const ROWS = [...ACCOUNT, ...MODELS, ...SEARCH, ...AGENTS, ...PLATFORM, ...AROUND];

it('is a row whose id is its class, for any method unless some are named', () => {
  const row = rule('a.b', ['capi'], /^\/a$/, 'S', 'high', 'about a');
  expect(row).toEqual({
    id: 'a.b',
    class: 'a.b',
    hosts: ['capi'],
    path: /^\/a$/,
    source: 'S',
    confidence: 'high',
    about: 'about a',
  });
  expect(rule('a.b', ['capi'], /^\/a$/, 'S', 'high', 'about a', ['GET']).methods).toEqual(['GET']);
  expect(keeps('models', row)).toEqual({ ...row, keeps: 'models' });
});

it('keep no body: none of them is an LLM call, and tokens travel in some', () => {
  for (const rule of ROWS) expect(rule.dialect, rule.id).toBeUndefined();
});

it('say where they come from, by the tags of docs/classes.md', () => {
  for (const rule of ROWS)
    expect(rule.source, rule.id).toMatch(/^(S|V|C|M|D|P|L|W|R|seed0)( (S|V|C|M|D|P|L|W|R|seed0))*$/);
});

it("take no hosts but GitHub's for the rest of its REST API", () => {
  const rest = ROWS.find((rule) => rule.id === 'github.rest');
  expect(rest).toMatchObject({ hosts: ['dotcom'], namedHostOnly: true });
});
