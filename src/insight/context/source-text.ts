// Reads from pieces of source text what they say about themselves: the path in a comment or a sentence, the language of a
// code fence, the lines of an excerpt.

import type { LineRange } from './item.ts';

/** Where such notes stand: at the beginning. */
const HEAD_CHARS = 2048;

/** `// filepath: src/a.ts` in any comment style, the first line of a fenced block. */
const FILE_COMMENT =
  /^[ \t]*(?:\/\/|#|--|;|%|\/\*|<!--|"|')?[ \t]*file-?path:[ \t]*(\S.*?)[ \t]*(?:\*\/|-->)?[ \t]*$/im;
const EXCERPT = /Excerpt from (\S+?),? lines? \d/;
const LINES = /\blines? (\d{1,9})(?:\s*(?:to|-|–)\s*(?:line )?(\d{1,9}))?/i;
const FENCE = /^[ \t]*`{3,}[ \t]*([\w+#.-]{1,40})[ \t]*$/m;

export interface SourceNotes {
  readonly path?: string;
  readonly language?: string;
  readonly lines?: LineRange;
}

export function sourceNotes(text: string): SourceNotes {
  const head = text.slice(0, HEAD_CHARS);
  const path = FILE_COMMENT.exec(head)?.[1] ?? EXCERPT.exec(head)?.[1];
  const language = FENCE.exec(head)?.[1];
  // Lines are told in the sentence before the code, never inside it.
  const fence = head.indexOf('```');
  const lines = rangeOf(LINES.exec(fence < 0 ? '' : head.slice(0, fence)));
  return {
    ...(path === undefined ? {} : { path }),
    ...(language === undefined ? {} : { language }),
    ...(lines === undefined ? {} : { lines }),
  };
}

/** A range out of a match whose groups are first and (optional) last line. */
export function rangeOf(match: RegExpExecArray | null): LineRange | undefined {
  if (match?.[1] === undefined) return undefined;
  const from = Number(match[1]);
  return { from, to: match[2] === undefined ? from : Number(match[2]) };
}

/** `lines 3 to 9` of a sentence that has no code with it. */
export const linesOfSentence = (text: string): LineRange | undefined => rangeOf(LINES.exec(text.slice(0, HEAD_CHARS)));
