// What each finding means: severity, words for people, and what to do. One row per rule; SARIF, the audit's text and
// docs/audit.md are made from it. A rule that is not listed (a kind of the kept rule set that is newer than this table)
// is a credential by OTHER.

export type Severity = 'high' | 'medium' | 'low';

export interface FindingRule {
  readonly rule: string;
  readonly severity: Severity;
  /** What was found, without an article: `private key`. */
  readonly title: string;
  /** What to do about it, starting with a verb. */
  readonly advice: string;
}

const REVOKE = 'Revoke it at its issuer and keep the file that held it out of the context.';
const credential = (rule: string, title: string): FindingRule => ({ rule, severity: 'high', title, advice: REVOKE });

const OTHER_ADVICE = 'Check whether it is a real credential; if so, revoke it.';

/** Order: as in docs/audit.md. Credentials by shape, credentials by context, conduct on the wire, personal data. */
export const FINDING_RULES: readonly FindingRule[] = [
  credential('copilot-token', 'Copilot token'),
  credential('github-token', 'GitHub token'),
  credential('jwt', 'JSON web token'),
  credential('private-key', 'private key'),
  credential('anthropic-key', 'Anthropic key'),
  credential('openai-key', 'OpenAI key'),
  credential('stripe-key', 'Stripe key'),
  credential('aws-key', 'AWS access key'),
  credential('google-key', 'Google API key'),
  credential('google-token', 'Google OAuth token'),
  credential('slack-token', 'Slack token'),
  credential('gitlab-token', 'GitLab token'),
  credential('npm-token', 'npm token'),
  credential('huggingface-token', 'Hugging Face token'),
  credential('pypi-token', 'PyPI token'),
  credential('vscode-nonce', 'nonce of a VS Code loopback server'),
  credential('database-url', 'database URL with a password'),
  {
    rule: 'secret',
    severity: 'medium',
    title: 'value of a secret name',
    advice: OTHER_ADVICE,
  },
  { rule: 'credentials', severity: 'medium', title: 'HTTP credentials', advice: OTHER_ADVICE },
  { rule: 'user-info', severity: 'medium', title: 'user name and password', advice: OTHER_ADVICE },
  { rule: 'cookie', severity: 'medium', title: 'cookie', advice: OTHER_ADVICE },
  {
    rule: 'token-foreign-host',
    severity: 'high',
    title: 'Copilot or GitHub token sent to a host that is not theirs',
    advice: 'Find out which extension or setting sends it there, and sign out to revoke it.',
  },
  {
    rule: 'credential-in-url',
    severity: 'medium',
    title: 'credential in a URL',
    advice: 'Send it in a header: URLs end up in logs.',
  },
  {
    rule: 'foreign-host',
    severity: 'medium',
    title: 'host outside the allow list',
    advice: 'Allow it with --allow-host, or find out who calls it.',
  },
  {
    rule: 'weak-tls',
    severity: 'medium',
    title: 'outdated TLS version or cipher suite',
    advice: 'Find out which end knows nothing better, and update it: RFC 9325 asks for TLS 1.2 or newer.',
  },
  {
    rule: 'redirect-foreign',
    severity: 'medium',
    title: 'redirect to another host',
    advice: 'Check that the new host is meant.',
  },
  {
    rule: 'redirect',
    severity: 'low',
    title: 'redirect between known hosts',
    advice: 'Nothing, if the service is known to do so.',
  },
  {
    rule: 'telemetry-text',
    severity: 'medium',
    title: 'telemetry that carries prompts, answers or repository data',
    advice:
      'Turn telemetry off (`telemetry.telemetryLevel`), or opt out of enhanced telemetry in the account settings.',
  },
  {
    rule: 'retention',
    severity: 'low',
    title: 'request that lets the provider keep its content',
    advice: 'Set `store` to false where the client allows it.',
  },
  {
    rule: 'secrets-file',
    severity: 'medium',
    title: 'completion inside a file that holds secrets',
    advice: 'Disable Copilot for its language, e.g. `"github.copilot.enable": { "dotenv": false }`.',
  },
  {
    rule: 'personal-email',
    severity: 'low',
    title: 'e-mail address',
    advice: 'Nothing, if the receiver may have it.',
  },
  {
    rule: 'personal-home',
    severity: 'low',
    title: 'path of a home folder',
    advice: 'Nothing, if the receiver may know the user name.',
  },
  {
    rule: 'personal-machine',
    severity: 'low',
    title: 'identifier of a machine',
    advice: 'Turn telemetry off to stop sending it.',
  },
  {
    rule: 'personal-remote',
    severity: 'low',
    title: 'repository address with a user name',
    advice: 'Nothing, if the receiver may know the account.',
  },
];

const BY_NAME: ReadonlyMap<string, FindingRule> = new Map(FINDING_RULES.map((row) => [row.rule, row]));

/** The row of a rule; for a name that has none, a credential of that kind. */
export const ruleNamed = (rule: string): FindingRule =>
  BY_NAME.get(rule) ?? credential(rule, rule.replaceAll('-', ' '));

const RANKS: Readonly<Record<Severity, number>> = { high: 2, medium: 1, low: 0 };

/** True when `severity` is `least` or worse. */
export const reaches = (severity: Severity, least: Severity): boolean => RANKS[severity] >= RANKS[least];
