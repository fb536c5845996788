// Lists of models: of the chat host (`data`), of the completions host and the cloud agent (`models`), or one model alone.

import { isObject, type JsonObject, objectOf } from '../../dialects/index.ts';
import type { ModelInfo, ModelsFacts } from '../../model/index.ts';
import { countOf, type FactsInput, flagOf, jsonOf, nameOf, namesOf, objectsOf, present } from './read.ts';

export function modelsFacts({ response }: FactsInput): ModelsFacts | undefined {
  const json = jsonOf(response);
  const list = [json['data'], json['models']].find(Array.isArray);
  const models = (list === undefined ? [json] : objectsOf(list)).flatMap((model) => modelOf(model) ?? []);
  return models.length === 0 ? undefined : { facts: 'models', models };
}

function modelOf(json: JsonObject): ModelInfo | undefined {
  const id = nameOf(json['id']) ?? nameOf(json['name']);
  if (id === undefined) return undefined;
  const capabilities = objectOf(json['capabilities']);
  return present({
    id,
    name: nameOf(json['name']),
    vendor: nameOf(json['vendor']) ?? nameOf(json['provider']),
    version: nameOf(json['version']),
    family: nameOf(capabilities['family']),
    type: nameOf(capabilities['type']),
    service: nameOf(json['serviceType']),
    isDefault: flagOf(json['is_chat_default']),
    isFallback: flagOf(json['is_chat_fallback']),
    isPreview: flagOf(json['preview']),
    isInPicker: flagOf(json['model_picker_enabled']),
    ...billingOf(objectOf(json['billing'])),
    tokenizer: nameOf(capabilities['tokenizer']),
    ...limitsOf(objectOf(capabilities['limits'])),
    endpoints: namesOf(json['supported_endpoints']),
    supports: supportsOf(capabilities['supports']),
    policy: nameOf(objectOf(json['policy'])['state']),
    warnings: warningsOf(json['warning_messages']),
  });
}

const billingOf = (json: JsonObject) => ({
  isPremium: flagOf(json['is_premium']),
  multiplier: countOf(json['multiplier']),
});

const limitsOf = (json: JsonObject) => ({
  maxPromptTokens: countOf(json['max_prompt_tokens']),
  maxOutputTokens: countOf(json['max_output_tokens']),
  maxContextTokens: countOf(json['max_context_window_tokens']),
});

/** Names of what is supported: flags that are true, and lists or limits that are there. */
const supportsOf = (value: unknown): readonly string[] | undefined =>
  isObject(value)
    ? Object.keys(value)
        .filter((name) => value[name] !== false && value[name] !== null)
        .slice(0, 50)
        .map((name) => name.slice(0, 64))
    : undefined;

function warningsOf(value: unknown): readonly string[] | undefined {
  const warnings = objectsOf(value).flatMap((warning) => nameOf(warning['message']) ?? nameOf(warning['code']) ?? []);
  return warnings.length === 0 ? undefined : warnings;
}
