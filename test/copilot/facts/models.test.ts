import { expect, it } from 'vitest';
import { modelsFacts } from '../../../src/copilot/facts/models.ts';

const facts = (response: unknown) => modelsFacts({ path: '/models', request: '', response: JSON.stringify(response) });

it('reads what the chat host says of a model', () => {
  const model = {
    id: 'gpt-5.4',
    name: 'GPT-5.4',
    vendor: 'OpenAI',
    version: 'gpt-5.4-2026-01',
    preview: false,
    model_picker_enabled: true,
    is_chat_default: true,
    is_chat_fallback: false,
    billing: { is_premium: true, multiplier: 1.5, restricted_to: ['pro'] },
    capabilities: {
      type: 'chat',
      family: 'gpt-5.4',
      tokenizer: 'o200k_base',
      limits: { max_prompt_tokens: 1000, max_output_tokens: 100, max_context_window_tokens: 1100 },
      supports: { tool_calls: true, vision: false, reasoning_effort: ['low'] },
    },
    supported_endpoints: ['/responses'],
    policy: { state: 'enabled', terms: 'long text' },
    warning_messages: [{ code: 'slow', message: 'Slow today' }],
  };
  expect(facts({ data: [model, 7, {}] })).toEqual({
    facts: 'models',
    models: [
      {
        id: 'gpt-5.4',
        name: 'GPT-5.4',
        vendor: 'OpenAI',
        version: 'gpt-5.4-2026-01',
        family: 'gpt-5.4',
        type: 'chat',
        isDefault: true,
        isFallback: false,
        isPreview: false,
        isInPicker: true,
        isPremium: true,
        multiplier: 1.5,
        tokenizer: 'o200k_base',
        maxPromptTokens: 1000,
        maxOutputTokens: 100,
        maxContextTokens: 1100,
        endpoints: ['/responses'],
        supports: ['tool_calls', 'reasoning_effort'],
        policy: 'enabled',
        warnings: ['Slow today'],
      },
    ],
  });
});

it('reads the list of the completions host and one model alone', () => {
  expect(facts({ models: [{ name: 'copilot-nes-oct', provider: 'x', serviceType: 'NESChat' }] })?.models).toEqual([
    { id: 'copilot-nes-oct', name: 'copilot-nes-oct', vendor: 'x', service: 'NESChat' },
  ]);
  expect(facts({ id: 'one' })?.models).toEqual([{ id: 'one' }]);
  expect(facts({ message: 'no' })).toBeUndefined();
});
