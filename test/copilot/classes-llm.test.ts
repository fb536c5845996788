import { expect, it } from 'vitest';
import { BYOK, LLM, LOCAL } from '../../src/copilot/classes-llm.ts';
import { dialectByName } from '../../src/dialects/index.ts';

it('names a dialect that exists in every row that is decoded', () => {
  for (const { id, dialect } of [...LOCAL, ...BYOK, ...LLM]) {
    if (dialect !== undefined && dialect !== 'by-body') expect(dialectByName(dialect), id).toBeDefined();
  }
  for (const { id, dialect } of LLM) expect(dialect, id).toBeDefined();
});

it('asks rows with conditions before the row of the same path without', () => {
  const ids = LLM.map((rule) => rule.id);
  for (const special of [
    'nes.cursor',
    'apply.instant',
    'search.agentic',
    'nes',
    'nes.prompt',
    'apply.instant.session',
  ]) {
    expect(ids.indexOf(special)).toBeLessThan(ids.indexOf('nes.host'));
  }
  expect(ids.indexOf('chat.responses.ws')).toBeLessThan(ids.indexOf('chat.responses'));
});
