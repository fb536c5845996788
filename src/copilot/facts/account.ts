// Plan, quotas and flags of an account. A token itself is never taken: of its inside only the names of its fields and one
// flag, which tells whether telemetry may carry text.

import { isObject, type JsonObject, objectOf, textOf } from '../../dialects/index.ts';
import type { AccountFacts, QuotaInfo, TokenFacts } from '../../model/index.ts';
import { countOf, type FactsInput, flagOf, jsonOf, MAX_LIST, nameOf, objectsOf, present, recordOf } from './read.ts';

export function accountFacts({ response }: FactsInput): AccountFacts | undefined {
  const json = jsonOf(response);
  const organizations = organizationsOf(json['organization_list']);
  const facts = present({
    facts: 'account' as const,
    plan: nameOf(json['copilot_plan']),
    sku: nameOf(json['access_type_sku']),
    quotas: recordOf(json['quota_snapshots'], quotaOf),
    quotaResets: nameOf(json['quota_reset_date']),
    organizations,
  });
  return Object.keys(facts).length === 1 ? undefined : facts;
}

function organizationsOf(value: unknown): readonly string[] | undefined {
  const names = objectsOf(value).flatMap((item) => nameOf(item['login']) ?? []);
  return names.length === 0 ? undefined : names;
}

/** A quota as `auth.user` tells it; -1 and `unlimited` both mean without bound. */
export function quotaOf(value: unknown): QuotaInfo | undefined {
  if (!isObject(value)) return undefined;
  const entitlement = countOf(value['entitlement']) ?? countOf(Number(textOf(value['entitlement']) || Number.NaN));
  const unlimited = value['unlimited'] === true || entitlement === -1;
  return present({
    entitlement: unlimited || entitlement === undefined ? null : entitlement,
    percentRemaining: countOf(value['percent_remaining']) ?? null,
    overageUsed: countOf(value['overage_count']),
    isOverageAllowed: flagOf(value['overage_permitted']),
    resets: nameOf(value['reset_date']),
  });
}

/** Fields of a token answer that are neither the token nor read by name below. */
const NO_FLAGS = new Set(['token', 'sku', 'expires_at', 'refresh_in', 'limited_user_reset_date', 'message']);

export function tokenFacts({ response }: FactsInput): TokenFacts | undefined {
  const json = jsonOf(response);
  if (Object.keys(json).length === 0) return undefined;
  const fields = tokenFields(textOf(json['token']));
  return present({
    facts: 'token' as const,
    sku: nameOf(json['sku']),
    expiresAt: countOf(json['expires_at']),
    refreshInSeconds: countOf(json['refresh_in']),
    endpoints: recordOf(json['endpoints'], nameOf),
    flags: flagsOf(json),
    fields: fields === undefined ? undefined : [...fields.keys()],
    isEnhancedTelemetry: fields === undefined ? undefined : fields.get('rt') === '1',
    quotas: recordOf(json['limited_user_quotas'], countOf),
    quotaResets: nameOf(json['limited_user_reset_date']),
    error: nameOf(objectOf(json['error_details'])['message']) ?? nameOf(json['message']),
  });
}

/** Booleans, and words such as `enabled`: nothing that could be a credential. */
const flagsOf = (json: JsonObject): Readonly<Record<string, boolean | string>> | undefined =>
  recordOf(Object.fromEntries(Object.entries(json).filter(([name]) => !NO_FLAGS.has(name))), (value) =>
    typeof value === 'string' ? (/^[a-z]{1,20}$/.test(value) ? value : undefined) : flagOf(value),
  );

/** `k=v;k=v;…:mac`. Undefined when there is no token or it is not of that form. */
function tokenFields(token: string): Map<string, string> | undefined {
  const open = token.slice(0, 8192).split(':', 1)[0] ?? '';
  if (!/^[\w-]{1,40}=/.test(open)) return undefined;
  const pairs = open.split(';').slice(0, MAX_LIST);
  return new Map(
    pairs.flatMap((pair) => {
      const [name = '', value = ''] = pair.split('=', 2);
      return /^[\w-]{1,40}$/.test(name) ? [[name, value] as const] : [];
    }),
  );
}
