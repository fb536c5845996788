// Next edit suggestions: a prompt of `<|name|>` sections. Paths stand in a line of the section; the history of edits is a
// list of diffs with absolute paths.

import { type NesSection, nesSections } from '../../dialects/index.ts';
import type { ContextItem, SourceKind } from './item.ts';
import { rangeOf } from './source-text.ts';

const KINDS: Readonly<Record<string, SourceKind>> = {
  current_file_content: 'current-file',
  area_around_code_to_edit: 'edit-window',
  code_to_edit: 'edit-window',
  cursor_location: 'edit-window',
  linter: 'diagnostics',
};

/** What follows the colon is trimmed by hand: a pattern that trims is slow on a line of blanks. */
const CURRENT = /^[ \t]*current_file_path:(.*)$/m;
const SNIPPET_PATH = /^[ \t]*code_snippet_file_path:(.*)$/m;
/** Head of one diff: the line with the new name. */
const DIFF_HEAD = /^(?:---[ \t]+(\S.*)\n)?\+\+\+[ \t]+(\S.*)$/gm;
const HUNK = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@/m;

export function nextEditItems(prompt: string): ContextItem[] {
  const sections = nesSections(prompt);
  const current = sections.map(({ body }) => CURRENT.exec(body)?.[1]?.trim()).find((path) => path !== undefined);
  return sections.flatMap((section) => sectionItems(section, current));
}

function sectionItems({ name, body }: NesSection, current: string | undefined): ContextItem[] {
  if (name === 'recently_viewed_code_snippets') return snippetItems(body);
  if (name === 'edit_diff_history') return diffItems(body);
  const kind = KINDS[name] ?? 'prompt-text';
  const path = kind === 'prompt-text' || current === undefined ? {} : { path: current };
  return [{ kind, text: body.trim(), detail: name, ...path }];
}

function snippetItems(body: string): ContextItem[] {
  const snippets = nesSections(body).filter(({ name }) => name === 'recently_viewed_code_snippet');
  return snippets.map((snippet) => {
    const path = SNIPPET_PATH.exec(snippet.body)?.[1]
      ?.trim()
      .replace(/\(truncated\)$/, '')
      .trim();
    return { kind: 'open-editor', text: snippet.body.trim(), ...(path === undefined ? {} : { path }) };
  });
}

function diffItems(body: string): ContextItem[] {
  const heads = [...body.matchAll(DIFF_HEAD)];
  if (heads.length === 0) return body.trim() === '' ? [] : [{ kind: 'recent-edit', text: body.trim() }];
  return heads.map((head, at) => {
    const text = body.slice(head.index, heads[at + 1]?.index).trimEnd();
    const lines = rangeOf(HUNK.exec(text));
    return {
      kind: 'recent-edit',
      text,
      path: (head[2] ?? '').trim(),
      detail: 'edit_diff_history',
      ...(lines === undefined ? {} : { lines }),
    };
  });
}
