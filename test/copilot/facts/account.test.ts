import { expect, it } from 'vitest';
import { accountFacts, quotaOf, tokenFacts } from '../../../src/copilot/facts/account.ts';

const input = (response: unknown) => ({ path: null, request: '', response: JSON.stringify(response) });

it('keeps plan and quotas of an account, not who it is', () => {
  const quota = {
    quota_id: 'q',
    entitlement: 300,
    remaining: 250,
    unlimited: false,
    overage_count: 2,
    overage_permitted: true,
    percent_remaining: 83.5,
  };
  const facts = accountFacts(
    input({
      login: 'someone',
      analytics_tracking_id: 'id',
      copilot_plan: 'individual',
      access_type_sku: 'free_limited_copilot',
      quota_reset_date: '2026-12-01',
      quota_snapshots: {
        premium_interactions: quota,
        chat: { unlimited: true, entitlement: 0, percent_remaining: 100 },
      },
      organization_list: [{ login: 'acme', name: 'Acme' }],
    }),
  );
  expect(facts).toEqual({
    facts: 'account',
    plan: 'individual',
    sku: 'free_limited_copilot',
    quotas: {
      premium_interactions: { entitlement: 300, percentRemaining: 83.5, overageUsed: 2, isOverageAllowed: true },
      chat: { entitlement: null, percentRemaining: 100 },
    },
    quotaResets: '2026-12-01',
    organizations: ['acme'],
  });
});

it('reads quotas of a WebSocket, whose entitlement is text', () => {
  expect(quotaOf({ entitlement: '300', percent_remaining: 50, reset_date: 'd' })).toEqual({
    entitlement: 300,
    percentRemaining: 50,
    resets: 'd',
  });
  expect(quotaOf({ entitlement: '-1', percent_remaining: 100 })?.entitlement).toBeNull();
  expect(quotaOf('300')).toBeUndefined();
});

it('never keeps a token: only the names of its fields and the telemetry flag', () => {
  const facts = tokenFacts(
    input({
      token: 'tid=FAKESECRET;exp=1990000000;rt=1;sku=FAKESKU:FAKEMAC',
      sku: 'pro',
      expires_at: 1,
      refresh_in: 1500,
      endpoints: { api: 'https://api.individual.githubcopilot.com' },
      copilotignore_enabled: true,
      telemetry: 'enabled',
      some_new_key: 'ghu_FAKESECRET',
      limited_user_quotas: { chat: 50 },
    }),
  );
  expect(facts).toEqual({
    facts: 'token',
    sku: 'pro',
    expiresAt: 1,
    refreshInSeconds: 1500,
    endpoints: { api: 'https://api.individual.githubcopilot.com' },
    flags: { copilotignore_enabled: true, telemetry: 'enabled' },
    fields: ['tid', 'exp', 'rt', 'sku'],
    isEnhancedTelemetry: true,
    quotas: { chat: 50 },
  });
  expect(JSON.stringify(facts)).not.toContain('FAKE');
});

it('says why no token was given', () => {
  expect(tokenFacts(input({ error_details: { message: 'no access' }, can_signup_for_limited: true }))).toMatchObject({
    error: 'no access',
    flags: { can_signup_for_limited: true },
  });
});
