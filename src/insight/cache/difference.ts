// Where two texts part: the first difference with a little of what surrounds it. For people, so it is short.

export interface Difference {
  /** Line of the first difference, from 1. */
  readonly line: number;
  /** What stands before it on that line. */
  readonly before: string;
  readonly removed: string;
  readonly added: string;
}

const MAX_BEFORE_CHARS = 60;
const MAX_SHOWN_CHARS = 160;

/** Length of the beginning that two texts share, in UTF-16 units; never inside a surrogate pair. */
export function sharedPrefix(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return at > 0 && (a.charCodeAt(at - 1) & 0xfc00) === 0xd800 ? at - 1 : at;
}

function sharedSuffix(a: string, b: string, from: number): number {
  const most = Math.min(a.length, b.length) - from;
  let length = 0;
  while (length < most && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length)) length += 1;
  return length;
}

/** Words are shown whole: a digit of a time says little alone. */
const WORD = /[\w:.+-]/;

export function firstDifference(old: string, fresh: string): Difference {
  let from = sharedPrefix(old, fresh);
  const suffix = sharedSuffix(old, fresh, from);
  let oldEnd = old.length - suffix;
  let freshEnd = fresh.length - suffix;
  while (from > 0 && WORD.test(old[from - 1] ?? '')) from -= 1;
  while (oldEnd < old.length && WORD.test(old[oldEnd] ?? '')) {
    oldEnd += 1;
    freshEnd += 1;
  }
  const lineStart = old.lastIndexOf('\n', from - 1) + 1;
  return {
    line: old.slice(0, from).split('\n').length,
    before: old.slice(Math.max(lineStart, from - MAX_BEFORE_CHARS), from),
    removed: shortened(old.slice(from, oldEnd)),
    added: shortened(fresh.slice(from, freshEnd)),
  };
}

const shortened = (text: string): string =>
  text.length <= MAX_SHOWN_CHARS ? text : `${text.slice(0, MAX_SHOWN_CHARS)}… [${text.length} characters]`;
