// The recent-edits block of a completion: for each edit `File: <relative path>` and a unified diff whose head lines carry
// full URIs, insertions before deletions, deleted lines marked ` --- IGNORE ---`. One item per edit.

import type { ContextItem, LineRange } from './item.ts';

const EDIT = /^(?:[^\w\n]{0,4}[ \t]*)File: (.+)$/gm;
const HUNK = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/gm;
const URI = /^(?:---|\+\+\+) (?:[ab]\/)?(file:\S+)/m;
/** Sentences that open and close the block. */
const FRAME = /^.{0,8}(These are recently edited|End of recent)/;

export const hasRecentEdits = (text: string): boolean => /These are recently edited/.test(text.slice(0, 512));

export function recentEditItems(text: string): ContextItem[] {
  const heads = [...text.matchAll(EDIT)];
  return heads.map((head, at) => {
    const body = text.slice(head.index, heads[at + 1]?.index);
    const lines = hunkLines(body);
    const uri = URI.exec(body)?.[1];
    return {
      kind: 'recent-edit',
      text: withoutFrame(body),
      path: (head[1] ?? '').trim(),
      ...(lines === undefined ? {} : { lines }),
      ...(uri === undefined ? {} : { detail: `full path in the diff: ${uri}` }),
    };
  });
}

const withoutFrame = (body: string): string =>
  body
    .split('\n')
    .filter((line) => !FRAME.test(line))
    .join('\n')
    .trim();

/** First to last line of all hunks, in the numbers of the new text. */
function hunkLines(body: string): LineRange | undefined {
  let range: LineRange | undefined;
  for (const [, first, count = '1'] of body.matchAll(HUNK)) {
    const from = Number(first);
    const to = Math.max(from, from + Number(count) - 1);
    range = { from: Math.min(range?.from ?? from, from), to: Math.max(range?.to ?? to, to) };
  }
  return range;
}
