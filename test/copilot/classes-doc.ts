// Writes docs/classes.md from the tables. The test beside it compares; `TRACER_GOLDEN=1` rewrites the file.

import { CLASSES, FALLBACK_CLASSES, HOSTS, KIND_BY_CLASS, KINDS } from '../../src/copilot/index.ts';

const cell = (text: string): string => text.replace(/\|/g, '\\|');
const code = (text: string): string => `\`${cell(text)}\``;
const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

function classRows(): string[][] {
  return CLASSES.map((rule) => [
    code(rule.class),
    rule.hosts.join(', '),
    rule.methods?.join(', ') ?? 'any',
    code(rule.path.source.replace(/\\\//g, '/')),
    cell((rule.tests ?? []).map((entry) => entry.says).join(', ')),
    rule.dialect ?? '',
    rule.keeps ?? '',
    `${rule.confidence}, ${rule.source}`,
    cell(rule.about),
  ]);
}

function kindRows(): string[][] {
  const fixed = Object.entries(KIND_BY_CLASS).map(([name, row]) => [
    code(row.kind),
    `class ${code(name)}`,
    cell(row.about),
  ]);
  return [...fixed, ...KINDS.map((rule) => [code(rule.kind), cell(rule.says), cell(rule.about)])];
}

export function classesDoc(): string {
  const hosts = [...new Set(HOSTS.map((row) => row.role))].map((role) => [
    role,
    HOSTS.filter((row) => row.role === role)
      .map((row) => code(row.host.source.replace(/\\\./g, '.')))
      .join(' '),
  ]);
  return `# Classes and kinds of calls

Every call has a \`class\` (what endpoint was called) and, where it is a chat call, mostly a \`kind\` (what for). \`evidence\` in
the output names the rule that decided and what it saw. This page is written from the tables in \`src/copilot/\`; a test
keeps it in step (\`TRACER_GOLDEN=1\` rewrites it).

The first row that matches wins. A host that is not in the list but whose requests carry Copilot's headers
(\`openai-intent\`, \`copilot-integration-id\`, \`editor-plugin-version: copilot…\`, \`user-agent: GitHubCopilotChat/…\`) counts as
Copilot's own. Before matching, a path loses its query, doubled slashes and the prefix \`/api/v3\` of an enterprise server.
Where a capture began in the middle of a connection and the path is not known, the class is taken from the host and from
the shape of body or answer, and the evidence says \`shape\`. Rules of your own come before all of these: see
[rules.md](rules.md). Which facts are kept of a call that is no LLM call is said in [insight.md](insight.md).

Sources: S, extension source of March 2026; V, later source of the same extension; C, editor core; M, mock server of the
editor's own tests; D, GitHub documentation; P, pull request extension; L, tests of GitHub's command line; W, published
captures; R, real clients, observed on loopback; seed0, a published reverse engineering. Confidence says how sure it is that the
path means the class.

## Hosts

${table(['role', 'names'], hosts)}

## Classes

${table(['class', 'hosts', 'methods', 'path', 'and', 'dialect', 'facts kept', 'confidence, source', 'what'], classRows())}

What no row names:

${table(
  ['class', 'what'],
  Object.entries(FALLBACK_CLASSES).map(([name, about]) => [code(name), about]),
)}

## Kinds

${table(['kind', 'recognised by', 'what'], kindRows())}
`;
}
