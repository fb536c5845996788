// Ghost text: `prompt` is the text of the current file before the cursor, `suffix` the text after it; `extra.context` holds
// a stable block (path or language of that file, traits, diagnostics, similar files) and a volatile one (recent edits).
// Path and language always describe the file under the cursor. The heads of snippets are those of the extension's own prompt
// library (`announceSnippet` in completions-core of microsoft/vscode-copilot-chat): "Compare this snippet from PATH:", where several
// of one file are "these snippets", with `---` between them, and a language service may name what it gave ("this function").

import { listOf, objectOf, textOf, textOrNone } from '../../dialects/index.ts';
import type { LlmRequest } from '../../model/index.ts';
import type { ContextItem } from './item.ts';
import { hasRecentEdits, recentEditItems } from './recent-edits.ts';

export function completionItems(request: LlmRequest): ContextItem[] {
  const extra = objectOf(request.parameters['extra']);
  const blocks = listOf(extra['context']).map(textOf);
  const stable = blocks.map(stableOf);
  const path = stable.find((block) => block.path !== undefined)?.path;
  const language = textOrNone(extra['language']) ?? stable.find((block) => block.language !== undefined)?.language;
  const file = { ...(path === undefined ? {} : { path }), ...(language === undefined ? {} : { language }) };
  const repository = textOf(request.parameters['nwo']);
  return [
    ...(request.prompt ? [{ kind: 'file-prefix', text: request.prompt, ...file } as const] : []),
    ...(request.suffix ? [{ kind: 'file-suffix', text: request.suffix, ...file } as const] : []),
    ...stable.flatMap((block) => block.items),
    ...blocks.flatMap((block) => (hasRecentEdits(block) ? recentEditItems(block) : [])),
    ...(repository === '' ? [] : [{ kind: 'repository', text: repository, path: repository } as const]),
  ];
}

interface Stable {
  readonly path?: string;
  readonly language?: string;
  readonly items: readonly ContextItem[];
}

/** Comment marks that languages put before a line of the block. */
const MARK = String.raw`^[ \t]{0,64}(?:\/\/|#|--|;|%|\/\*|<!--|"|')?[ \t]{0,8}`;
const PATH = new RegExp(`${MARK}Path: (.+)$`, 'm');
/** End of a comment that encloses its line. */
const COMMENT_END = /(?:\*\/|-->)$/;
const LANGUAGE = new RegExp(`${MARK}Language: (\\S+)`, 'm');
/** What a snippet may be called. */
const SORT = '(?:this|these) (?:snippets?|function|variable|parameter|method|class|module|alias|enum member|interface)';
const SNIPPET = new RegExp(`${MARK}Compare ${SORT}(?: from (.+?))?:[ \\t]*$`, 'gm');
const DIAGNOSTICS = /\b(error|warning)\b.{0,80}\b(line|\d+:\d+)|Consider the .{0,40}diagnostics/i;

function stableOf(block: string): Stable {
  if (block === '' || hasRecentEdits(block)) return { items: [] };
  const path = PATH.exec(block)?.[1]?.trim().replace(COMMENT_END, '').trim();
  const language = LANGUAGE.exec(block)?.[1];
  const heads = [...block.matchAll(SNIPPET)];
  const snippets = heads.map((head, at): ContextItem => {
    const text = block.slice(head.index + head[0].length + 1, heads[at + 1]?.index);
    // The path is the client's to leave out.
    return { kind: 'similar-file', text: text.trimEnd(), ...(head[1] === undefined ? {} : { path: head[1].trim() }) };
  });
  const before = block.slice(0, heads[0]?.index).replace(PATH, '').replace(LANGUAGE, '').trim();
  return {
    ...(path === undefined ? {} : { path }),
    ...(language === undefined ? {} : { language }),
    items: [...(before === '' ? [] : [traits(before)]), ...snippets],
  };
}

const traits = (text: string): ContextItem => ({ kind: DIAGNOSTICS.test(text) ? 'diagnostics' : 'traits', text });
