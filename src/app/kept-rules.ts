// The kept rule set: secretlint's recommended preset (MIT), asked directly. Its rules are plain synchronous functions; the
// engine around them would make a search asynchronous, and then a live run and its replay could print findings in another
// order. Left out: `gcp` (reads key files from disk by the text's name) and `filter-comments` (a text that comes from
// others must not be able to switch rules off); `npm` and `hashicorp-vault` (the room's own rules find the same tokens, and
// these two alone take half of the time of all others).

import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import type { KeptRules } from '../privacy/index.ts';

/** The part of secretlint's rule contract (SecretLintRuleCreator) that is used. */
interface Rule {
  readonly meta: { readonly id: string };
  create(context: RuleContext, options: object): { file?(source: RuleSource): unknown };
}

interface RuleContext {
  readonly sharedOptions: object;
  createTranslator(messages: object): (id: string, data: object) => object;
  report(report: { readonly range: readonly [number, number] }): void;
  ignore(): void;
}

interface RuleSource {
  readonly content: string;
  readonly filePath: string;
  readonly ext: string;
  readonly contentType: 'text';
}

type Range = ReturnType<KeptRules>[number];

const LEFT_OUT = new Set(['gcp', 'filter-comments', 'npm', 'hashicorp-vault']);

/** Names of this project for kinds that both know: equal kinds fold into one finding. Others: their own name. */
const KINDS: Readonly<Record<string, string>> = {
  aws: 'aws-key',
  privatekey: 'private-key',
  basicauth: 'user-info',
  slack: 'slack-token',
  sendgrid: 'sendgrid-key',
  github: 'github-token',
  gitlab: 'gitlab-token',
  openai: 'openai-key',
  anthropic: 'anthropic-key',
  groq: 'groq-key',
  huggingface: 'huggingface-token',
  linear: 'linear-key',
  shopify: 'shopify-token',
  notion: 'notion-token',
  '1password': '1password-token',
  'database-connection-string': 'database-url',
  databricks: 'databricks-token',
  docker: 'docker-token',
  figma: 'figma-token',
  grafana: 'grafana-token',
  vercel: 'vercel-token',
};

const shortName = (rule: Rule): string => rule.meta.id.replace('@secretlint/secretlint-rule-', '');

/** `file` of a rule, bound to `ranges`. */
function handlerOf(rule: Rule, ranges: Range[]): (source: RuleSource) => unknown {
  const kind = KINDS[shortName(rule)] ?? shortName(rule);
  const handlers = rule.create(
    {
      sharedOptions: {},
      createTranslator: () => (_, data) => data,
      report: ({ range: [start, end] }) => ranges.push({ kind, start, end }),
      ignore: () => {},
    },
    {},
  );
  return (source) => handlers.file?.(source);
}

/** The kept rules as one function. */
export function createKeptRules(): KeptRules {
  const ranges: Range[] = [];
  const handlers = (rules as unknown as readonly Rule[])
    .filter((rule) => !LEFT_OUT.has(shortName(rule)))
    .map((rule) => handlerOf(rule, ranges));
  return (content) => {
    ranges.length = 0;
    const source: RuleSource = { content, filePath: 'text.txt', ext: '.txt', contentType: 'text' };
    for (const handler of handlers) handler(source);
    return ranges.slice();
  };
}
