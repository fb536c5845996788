// Secrets that are known by their own shape, wherever they stand. One row per kind. Order: a row whose prefix is a special
// case of another's comes first.
//
// Every pattern is a fixed prefix and then greedy runs that cannot fail: so a scan is linear in the text, whatever the
// text is. A dot at the end of a sentence is no part of a token: a run ends with a word character. Length is checked
// afterwards (`minLength`), and shape where a prefix alone says too little (`accepts`).

export interface TokenRule {
  readonly kind: string;
  /** Texts of which at least one is in every match: most texts are dismissed by these alone. */
  readonly hints: readonly string[];
  readonly pattern: RegExp;
  readonly minLength: number;
  readonly accepts?: (match: string) => boolean;
}

/**
 * Left edge of a word for prefixes that also end ordinary words (`task-…` is no `sk-…`). An escape such as the two
 * characters `\n` is an edge: JSON inside JSON has them.
 */
export const WORD_EDGE = String.raw`(?:(?<![\w-])|(?<=\\[nrtbf]))`;

const edged = (source: string): RegExp => new RegExp(WORD_EDGE + source, 'g');

const hasDigit = (text: string): boolean => /\d/.test(text);

export const TOKEN_RULES: readonly TokenRule[] = [
  {
    // Copilot token: fields `tid=…;exp=…;sku=…`, then `:` and a MAC.
    kind: 'copilot-token',
    hints: ['tid='],
    pattern: /tid=[\w%.~+/=;:*@-]*/g,
    minLength: 20,
  },
  { kind: 'github-token', hints: ['github_pat_'], pattern: /github_pat_\w*/g, minLength: 22 },
  {
    kind: 'github-token',
    hints: ['gho_', 'ghu_', 'ghp_', 'ghs_', 'ghr_'],
    pattern: /gh[oupsr]_\w*(?:[.-]\w+)*/g,
    minLength: 14,
  },
  // RFC 7519 §3: header and payload at least; a base64url header begins with `{"`, that is `eyJ`.
  {
    kind: 'jwt',
    hints: ['eyJ'],
    pattern: /eyJ[\w-]*(?:\.[\w-]+)*\.?/g,
    minLength: 24,
    accepts: (match) => match.includes('.'),
  },
  { kind: 'anthropic-key', hints: ['sk-ant-'], pattern: /sk-ant-[\w-]*/g, minLength: 20 },
  { kind: 'openai-key', hints: ['sk-'], pattern: edged('sk-[\\w-]*'), minLength: 20, accepts: hasDigit },
  { kind: 'stripe-key', hints: ['k_live_', 'k_test_'], pattern: /[sr]k_(?:live|test)_\w*/g, minLength: 20 },
  { kind: 'aws-key', hints: ['AKIA', 'ASIA'], pattern: /A[KS]IA[A-Z0-9]*/g, minLength: 16, accepts: hasDigit },
  { kind: 'google-key', hints: ['AIza'], pattern: /AIza[\w-]*/g, minLength: 30 },
  {
    kind: 'google-token',
    hints: ['ya29.', 'GOCSPX-'],
    pattern: /(?:ya29\.|GOCSPX-)[\w-]*(?:\.[\w-]+)*/g,
    minLength: 20,
  },
  { kind: 'slack-token', hints: ['xox', 'xapp-'], pattern: /(?:xox[a-z]-|xapp-)[\w-]*/g, minLength: 14 },
  { kind: 'gitlab-token', hints: ['glpat-'], pattern: /glpat-[\w-]*(?:\.[\w-]+)*/g, minLength: 16 },
  { kind: 'npm-token', hints: ['npm_'], pattern: edged('npm_\\w*'), minLength: 30 },
  { kind: 'huggingface-token', hints: ['hf_'], pattern: edged('hf_\\w*'), minLength: 24 },
  { kind: 'pypi-token', hints: ['pypi-'], pattern: edged('pypi-[\\w-]*'), minLength: 30 },
  // Further providers, each by the prefix that it documents so that scanners can find its keys.
  {
    kind: 'sendgrid-key',
    hints: ['SG.'],
    pattern: edged('SG\\.[\\w-]*(?:\\.[\\w-]*)?'),
    minLength: 40,
    accepts: hasDigit,
  },
  {
    kind: 'digitalocean-token',
    hints: ['dop_v1_', 'doo_v1_', 'dor_v1_'],
    pattern: /do[opr]_v1_[a-f0-9]*/g,
    minLength: 40,
  },
  { kind: 'groq-key', hints: ['gsk_'], pattern: edged('gsk_\\w*'), minLength: 40 },
  { kind: 'xai-key', hints: ['xai-'], pattern: edged('xai-\\w*'), minLength: 60 },
  { kind: 'perplexity-key', hints: ['pplx-'], pattern: edged('pplx-\\w*'), minLength: 40 },
  { kind: 'replicate-token', hints: ['r8_'], pattern: edged('r8_\\w*'), minLength: 36 },
  { kind: 'databricks-token', hints: ['dapi'], pattern: edged('dapi[a-f0-9]+(?:-\\d)?'), minLength: 36 },
  { kind: 'atlassian-token', hints: ['ATATT3'], pattern: /ATATT3[\w=-]*/g, minLength: 60 },
  { kind: 'vault-token', hints: ['hvs.', 'hvb.'], pattern: edged('hv[sb]\\.[\\w-]*'), minLength: 28 },
  {
    kind: 'shopify-token',
    hints: ['shpat_', 'shpca_', 'shppa_', 'shpss_'],
    pattern: edged('shp(?:at|ca|pa|ss)_[a-fA-F0-9]*'),
    minLength: 38,
  },
  { kind: 'linear-key', hints: ['lin_api_'], pattern: /lin_api_\w*/g, minLength: 40 },
  { kind: 'notion-token', hints: ['ntn_'], pattern: edged('ntn_\\w*'), minLength: 40 },
  { kind: 'docker-token', hints: ['dckr_pat_', 'dckr_oat_'], pattern: /dckr_(?:pat|oat)_[\w-]*/g, minLength: 30 },
  { kind: 'figma-token', hints: ['figd_'], pattern: /figd_[\w-]*/g, minLength: 40 },
  { kind: 'rubygems-key', hints: ['rubygems_'], pattern: edged('rubygems_[a-f0-9]*'), minLength: 50 },
  { kind: 'postman-key', hints: ['PMAK-'], pattern: /PMAK-[a-f0-9-]*/g, minLength: 40 },
  { kind: 'sentry-token', hints: ['sntrys_', 'sntryu_'], pattern: /sntry[su]_[\w=+/-]*/g, minLength: 40 },
  { kind: 'grafana-token', hints: ['glsa_', 'glc_'], pattern: edged('gl(?:sa|c)_[\\w=+/-]*'), minLength: 36 },
  { kind: 'telegram-token', hints: [':AA'], pattern: /\d{8,10}:AA[\w-]*/g, minLength: 40 },
  // Addresses that are secrets themselves: who has one may post. Slack, Discord, Microsoft Teams; the host may be elsewhere.
  {
    kind: 'webhook',
    hints: ['/services/T', '/api/webhooks/', '/IncomingWebhook/'],
    pattern:
      /\/services\/T[A-Z0-9]*(?:\/[A-Z0-9]*(?:\/\w*)?)?|\/api\/webhooks\/\d*(?:\/[\w-]*)?|\/IncomingWebhook\/\w*(?:\/[\w-]*)?/g,
    minLength: 44,
    accepts: hasDigit,
  },
  {
    kind: 'vscode-nonce',
    hints: ['vscode-lm-'],
    pattern: /vscode-lm-[\w-]*(?:\.[\w-]+)*/g,
    minLength: 16,
    accepts: (match) => /\d/.test(match),
  },
];

/** Kind of a value that is known to be a secret as a whole. */
export function kindOfSecret(value: string): string {
  for (const { kind, pattern, hints } of TOKEN_RULES) {
    if (hints.some((hint) => value.startsWith(hint)) && value.search(pattern) === 0) return kind;
  }
  return 'secret';
}
