import { expect, it } from 'vitest';
import { ACCOUNT, AGENTS, AROUND, MODELS, PLATFORM, SEARCH } from '../../src/copilot/classes-services.ts';

const ROWS = [...ACCOUNT, ...MODELS, ...SEARCH, ...AGENTS, ...PLATFORM, ...AROUND];

it('keep no body: none of them is an LLM call, and tokens travel in some', () => {
  for (const rule of ROWS) expect(rule.dialect, rule.id).toBeUndefined();
});

it('say where they come from, by the tags of docs/classes.md', () => {
  for (const rule of ROWS) expect(rule.source, rule.id).toMatch(/^(S|V|C|M|D|P|L|W|R|seed0)( (S|V|C|M|D|P|L|W|R|seed0))*$/);
});

it("take no hosts but GitHub's for the rest of its REST API", () => {
  const rest = ROWS.find((rule) => rule.id === 'github.rest');
  expect(rest).toMatchObject({ hosts: ['dotcom'], namedHostOnly: true });
});
