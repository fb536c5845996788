import { describe, expect, it } from 'vitest';
import { bestDialect } from '../../src/dialects/index.ts';
import { hasNesSections, nesSections } from '../../src/dialects/nes.ts';
import { requestOf, stream } from './feed.ts';

const prompt =
  '<|current_file_content|>\ncurrent_file_path: a.ts\n<|code_to_edit|>x<|cursor|>y<|/code_to_edit|>\n<|/current_file_content|>\n<|edit_diff_history|>\n--- a\n<|/edit_diff_history|>\n<|linter|>cut';

describe('next edit suggestions', () => {
  it('speak Chat Completions under their own name', () => {
    const body = {
      model: 'copilot-nes-oct',
      messages: [{ role: 'user', content: prompt }],
      prediction: { type: 'content', content: 'x' },
    };
    expect(requestOf('nes', body)).toMatchObject({
      dialect: 'nes',
      model: 'copilot-nes-oct',
      parameters: { prediction: { content: 'x' } },
    });
    expect(stream('nes', [{ choices: [{ index: 0, delta: { content: '<NO_CHANGE>' } }] }, '[DONE]']).reply.text).toBe(
      '<NO_CHANGE>',
    );
  });

  it('are recognised by model or by a section that only they have', () => {
    const hint = (body: unknown) => bestDialect({ path: '/chat/completions', headers: [], body })?.dialect.name;
    expect(hint({ model: 'xtab-4o-mini-finetuned', messages: [] })).toBe('nes');
    expect(hint({ model: 'm', messages: [{ content: prompt }] })).toBe('nes');
    expect(hint({ model: 'm', messages: [{ content: 'hi' }] })).toBe('openai-chat');
    expect(hasNesSections({ messages: [{ content: 7 }] })).toBe(false);
  });

  it('have sections, outermost ones first, and the last may be cut', () => {
    const sections = nesSections(prompt);
    expect(sections.map((section) => [section.name, section.closed])).toEqual([
      ['current_file_content', true],
      ['edit_diff_history', true],
      ['linter', false],
    ]);
    expect(sections[0]?.body).toContain('<|code_to_edit|>x<|cursor|>y');
    expect(sections[2]?.body).toBe('cut');
  });
});
