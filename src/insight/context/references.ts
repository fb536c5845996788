// `copilot_references`: files, selections, repositories and results that travel beside a message. A client that withholds
// content sends a marker word in its place.

import { isObject, numberOrNone, objectOf, textOf, textOrNone } from '../../dialects/index.ts';
import type { Part } from '../../model/index.ts';
import type { ContextItem, LineRange } from './item.ts';

type Reference = Extract<Part, { kind: 'reference' }>;

/** Words in the place of content, and why. */
const WITHHELD: Readonly<Record<string, string>> = {
  'content-exclusion': 'excluded by the organisation’s rules',
  'hidden-file': 'hidden file',
  'file-too-large': 'too large',
};

/** A reference of which only the fact is sent. */
const REDACTED = 'github.redacted';

const MEANINGS: Readonly<Record<string, string>> = {
  'github.current-url': 'address that the user looks at',
};

export function referenceItem(part: Reference): ContextItem {
  const data = objectOf(part.data);
  const content = textOf(data['content']);
  const path = pathOf(part, data);
  const lines = linesOf(data);
  const language = textOrNone(data['language']);
  const withheld = part.type === REDACTED ? 'content removed before sending' : WITHHELD[content.trim()];
  const note = withheld ?? MEANINGS[part.type];
  return {
    kind: withheld === undefined ? 'reference' : 'withheld-reference',
    text: typeof part.data === 'string' ? part.data : content || jsonOf(part.data),
    detail: note === undefined ? part.type : `${part.type} (${note})`,
    ...(path === undefined ? {} : { path }),
    ...(lines === undefined ? {} : { lines }),
    ...(language === undefined ? {} : { language }),
    ...(part.implicit === undefined ? {} : { implicit: part.implicit }),
  };
}

const jsonOf = (data: unknown): string => (data === null || data === undefined ? '' : JSON.stringify(data));

function pathOf({ type, id, data: raw }: Reference, data: Readonly<Record<string, unknown>>): string | undefined {
  if (type === 'github.repository') {
    const owner = textOf(data['ownerLogin']);
    const name = textOf(data['name']);
    return owner !== '' && name !== '' ? `${owner}/${name}` : id;
  }
  if (type === 'github.current-url') return textOrNone(data['url']) ?? (typeof raw === 'string' ? raw : id);
  return id ?? textOrNone(data['path']) ?? textOrNone(data['uri']);
}

/** Lines are counted from 0 in a reference. */
function linesOf(data: Readonly<Record<string, unknown>>): LineRange | undefined {
  if (!isObject(data['start']) || !isObject(data['end'])) return undefined;
  const from = numberOrNone(data['start']['line']);
  const to = numberOrNone(data['end']['line']);
  return from === undefined || to === undefined ? undefined : { from: from + 1, to: to + 1 };
}
