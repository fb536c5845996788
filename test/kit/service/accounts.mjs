// What the stand-in service knows of accounts and models: invented values in the shapes of the real endpoints. Every secret
// says FAKE in itself, so that a test can look for it in any output.

export const FAKE_COPILOT_TOKEN =
  'tid=FAKE0000standin;exp=1990000000;sku=FAKE_standin;st=dotcom;chat=1:FAKEMAC0123456789abcdef';
export const FAKE_SESSION_TOKEN = 'FAKEHEADER.FAKEPAYLOADstandin.FAKESIGNATURE0123456789';

export const token = {
  token: FAKE_COPILOT_TOKEN,
  expires_at: 1_990_000_000,
  refresh_in: 1500,
  sku: 'stand_in',
  individual: true,
  endpoints: {
    api: 'https://api.individual.githubcopilot.com',
    proxy: 'https://proxy.individual.githubcopilot.com',
    telemetry: 'https://telemetry.individual.githubcopilot.com',
    'origin-tracker': 'https://origin-tracker.individual.githubcopilot.com',
  },
  copilotignore_enabled: true,
  public_suggestions: 'enabled',
  telemetry: 'disabled',
};

const quota = {
  entitlement: 300,
  remaining: 250.5,
  unlimited: false,
  overage_count: 0,
  overage_permitted: false,
  percent_remaining: 83.5,
};

export const user = {
  login: 'stand-in-user',
  copilot_plan: 'individual',
  access_type_sku: 'stand_in',
  quota_reset_date: '2026-12-01',
  quota_snapshots: { premium_interactions: { quota_id: 'premium_interactions', ...quota } },
  organization_list: [{ login: 'stand-in-org', name: 'Stand-in' }],
  analytics_tracking_id: 'stand-in',
};

export const contentExclusion = [
  {
    rules: [{ paths: ['**/secrets/**'], source: { name: 'stand-in-org', type: 'Organization' } }],
    last_updated_at: '2026-11-01',
  },
];

export const mcpRegistry = { mcp_registries: [{ url: 'https://registry.invalid/', registry_access: 'allow_all' }] };

/** @param {string} id @param {string[]} supported_endpoints @param {number} multiplier */
const model = (id, supported_endpoints, multiplier) => ({
  id,
  name: id,
  vendor: 'Stand-in',
  version: `${id}-2026-11-01`,
  model_picker_enabled: true,
  preview: false,
  billing: { is_premium: multiplier > 0, multiplier },
  capabilities: {
    type: 'chat',
    family: id,
    tokenizer: 'o200k_base',
    limits: { max_prompt_tokens: 128_000, max_output_tokens: 16_384 },
    supports: { streaming: true, tool_calls: true },
  },
  supported_endpoints,
});

export const models = {
  data: [
    model('gpt-4.1', ['/chat/completions'], 0),
    model('gpt-5.4', ['/responses', 'ws:/responses'], 1),
    model('claude-sonnet-4.6', ['/chat/completions', '/v1/messages'], 1),
  ],
};

export const sweModels = { models: [{ id: 'claude-sonnet-4.6', name: 'stand-in' }] };

export const session = {
  available_models: ['gpt-4.1', 'gpt-5.4', 'claude-sonnet-4.6'],
  session_token: FAKE_SESSION_TOKEN,
  expires_at: 1_990_000_000,
  discounted_costs: { 'gpt-5.4': 0.1 },
};

export const intent = {
  predicted_label: 'needs_reasoning',
  confidence: 0.87,
  latency_ms: 12,
  candidate_models: ['gpt-5.4', 'claude-sonnet-4.6'],
  scores: { needs_reasoning: 0.87, no_reasoning: 0.13 },
};
