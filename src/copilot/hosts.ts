// Who a host is, by name alone. A user may override the API hosts or choose an enterprise host, so a name that is not in
// here is `unknown`, and the caller may still recognise the service by headers and path.

/** What a host is to Copilot. `copilot` is a name under Copilot's domain whose part is not known. */
export type HostRole =
  | 'capi'
  | 'proxy'
  | 'origin-tracker'
  | 'telemetry'
  | 'copilot'
  | 'dotcom'
  | 'login'
  | 'uploads'
  | 'ms-telemetry'
  | 'collector'
  | 'experiments'
  | 'cdn'
  | 'status'
  | 'vscode'
  | 'marketplace'
  | 'ado'
  | 'byok-openai'
  | 'byok-anthropic'
  | 'byok-gemini'
  | 'byok-openrouter'
  | 'byok-xai'
  | 'byok-azure'
  | 'loopback'
  | 'unknown';

interface HostRow {
  readonly role: HostRole;
  readonly host: RegExp;
}

const SUB = '[a-z0-9-]+';
/** Public cloud's plan-specific and plan-neutral names of one part. */
const plan = (label: string): RegExp => new RegExp(`^${label}(\\.${SUB})?\\.githubcopilot\\.com$`);
/** A part at a tenant of GitHub Enterprise Cloud with data residency. */
const tenant = (label: string): RegExp => new RegExp(`^${label}\\.${SUB}\\.ghe\\.com$`);

/** First match wins: parts before their whole domain. */
export const HOSTS: readonly HostRow[] = [
  { role: 'capi', host: plan('api') },
  { role: 'proxy', host: plan('proxy') },
  { role: 'origin-tracker', host: plan('origin-tracker') },
  { role: 'telemetry', host: plan('telemetry') },
  { role: 'copilot', host: /(^|\.)githubcopilot\.com$/ },
  { role: 'proxy', host: /^copilot-proxy\.githubusercontent\.com$/ },
  { role: 'origin-tracker', host: /^origin-tracker\.githubusercontent\.com$/ },
  { role: 'telemetry', host: /^copilot-telemetry(-service)?\.githubusercontent\.com$/ },
  { role: 'capi', host: tenant('copilot-api') },
  { role: 'proxy', host: tenant('copilot-proxy') },
  { role: 'origin-tracker', host: tenant('(copilot-)?origin-tracker') },
  { role: 'telemetry', host: tenant('copilot-telemetry(-service)?') },
  { role: 'dotcom', host: /^api\.github\.com$/ },
  { role: 'dotcom', host: tenant('api') },
  { role: 'login', host: /^github\.com$/ },
  { role: 'login', host: new RegExp(`^${SUB}\\.ghe\\.com$`) },
  { role: 'uploads', host: /^uploads\.github\.com$/ },
  { role: 'ms-telemetry', host: /^(mobile|[a-z]+-mobile)\.events\.data\.microsoft\.com$/ },
  { role: 'ms-telemetry', host: /^dc\.services\.visualstudio\.com$/ },
  { role: 'collector', host: /^collector\.github\.com$/ },
  { role: 'experiments', host: /^default\.exp-tas\.com$/ },
  { role: 'cdn', host: /^(embeddings|main)\.vscode-cdn\.net$/ },
  { role: 'status', host: /^www\.githubstatus\.com$/ },
  { role: 'vscode', host: /^code\.visualstudio\.com$/ },
  { role: 'marketplace', host: /^marketplace\.visualstudio\.com$/ },
  { role: 'ado', host: /^almsearch\.dev\.azure\.com$/ },
  { role: 'byok-openai', host: /^api\.openai\.com$/ },
  { role: 'byok-anthropic', host: /^api\.anthropic\.com$/ },
  { role: 'byok-gemini', host: /^generativelanguage\.googleapis\.com$/ },
  { role: 'byok-openrouter', host: /^openrouter\.ai$/ },
  { role: 'byok-xai', host: /^api\.x\.ai$/ },
  { role: 'byok-azure', host: /\.(openai\.azure\.com|models\.ai\.azure\.com|inference\.ml\.azure\.com)$/ },
  { role: 'loopback', host: /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/ },
];

/** `host` in lower case, without port. */
export function roleOfHost(host: string | null): HostRole {
  if (host === null) return 'unknown';
  return HOSTS.find((row) => row.host.test(host))?.role ?? 'unknown';
}

/** Splits an authority into host (lower case) and port, `[::1]:80` included. */
export function splitAuthority(authority: string): { host: string; port: number | null } {
  const match = /^(?:[^@]*@)?(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(authority.trim().slice(0, 512));
  if (match === null) return { host: authority.trim().toLowerCase().slice(0, 512), port: null };
  const host = (match[1] ?? '').toLowerCase().replace(/\.$/, '');
  return { host, port: match[2] === undefined ? null : Number(match[2]) };
}
