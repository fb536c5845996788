// Prompt sections `<name attr="json">` … `</name>` at the outermost level of a text. Bodies are not escaped, so that a file
// in a prompt may hold section marks: only names of a given list count, only at the beginning of a line, and an element
// ends at the first closing mark at its own depth after which the text ends or goes on with an opening mark of the list.
//
// LIMITS: a file that holds a closing mark followed by an opening one of the list cannot be told from the real thing.

export interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly body: string;
  /** False when the closing mark is missing. */
  readonly closed: boolean;
}

export interface Outermost {
  readonly elements: readonly Element[];
  /** What stands between the elements. */
  readonly rest: string;
}

/** Elements of one text; a prompt with every open file attached has some hundred. */
const MAX_ELEMENTS = 2000;
/** Closing marks that are tried for one element. */
const MAX_CLOSINGS = 200;

const ATTRIBUTES = String.raw`(?:\s+[\w.:-]+=(?:"(?:[^"\\\n]|\\.)*"|[\w.-]+))*`;
const ATTRIBUTE = /([\w.:-]+)=("(?:[^"\\\n]|\\.)*"|[\w.-]+)/g;

const openingOf = (names: ReadonlySet<string>): RegExp =>
  new RegExp(`^[ \\t]*<(${[...names].map(escapeName).join('|')})(${ATTRIBUTES})\\s*(/?)>`, 'gm');

const escapeName = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Patterns by list of names: lists are constants, so that there are few. */
const patterns = new WeakMap<ReadonlySet<string>, RegExp>();

function patternOf(names: ReadonlySet<string>): RegExp {
  const known = patterns.get(names) ?? openingOf(names);
  patterns.set(names, known);
  return known;
}

export function outermost(text: string, names: ReadonlySet<string>): Outermost {
  if (!text.includes('<')) return { elements: [], rest: text };
  const opening = new RegExp(patternOf(names));
  const elements: Element[] = [];
  let rest = '';
  let from = 0;
  for (let match = opening.exec(text); match !== null && elements.length < MAX_ELEMENTS; match = opening.exec(text)) {
    rest += text.slice(from, match.index);
    const name = match[1] ?? '';
    const start = match.index + match[0].length;
    const isEmpty = match[3] === '/';
    const end = isEmpty ? { at: start, after: start } : closingOf(text, name, start, names);
    const body = text.slice(start, end?.at);
    elements.push({ name, attributes: attributesOf(match[2] ?? ''), body: trimmed(body), closed: end !== undefined });
    from = end?.after ?? text.length;
    opening.lastIndex = from;
    if (end === undefined) break;
  }
  return { elements, rest: `${rest}${text.slice(from)}`.trim() };
}

/** The line breaks that rendering puts around a body are not part of it. */
const trimmed = (body: string): string => body.replace(/^\r?\n/, '').replace(/\r?\n[ \t]*$/, '');

interface Closing {
  readonly at: number;
  readonly after: number;
}

function closingOf(text: string, name: string, start: number, names: ReadonlySet<string>): Closing | undefined {
  const marks = new RegExp(`^[ \\t]*<${escapeName(name)}${ATTRIBUTES}\\s*>|</${escapeName(name)}>`, 'gm');
  marks.lastIndex = start;
  let depth = 0;
  let first: Closing | undefined;
  let tries = 0;
  for (let mark = marks.exec(text); mark !== null && tries < MAX_CLOSINGS; mark = marks.exec(text), tries += 1) {
    if (!mark[0].startsWith('</')) {
      depth += 1;
      continue;
    }
    if (depth > 0) {
      depth -= 1;
      continue;
    }
    const closing = { at: mark.index, after: marks.lastIndex };
    first ??= closing;
    if (goesOn(text, closing.after, names)) return closing;
  }
  return first ?? lastClosing(text, name, start);
}

/** All closing marks were taken for those of inner elements of the name: the last one is the nearest guess. */
function lastClosing(text: string, name: string, start: number): Closing | undefined {
  const at = text.lastIndexOf(`</${name}>`);
  return at < start ? undefined : { at, after: at + name.length + 3 };
}

/** What may follow a real closing mark: nothing, or the next element. */
function goesOn(text: string, from: number, names: ReadonlySet<string>): boolean {
  const rest = text.slice(from, from + 256).trimStart();
  if (rest === '') return text.slice(from).trim() === '';
  const name = /^<([A-Za-z_][\w.-]*)/.exec(rest)?.[1];
  return name !== undefined && names.has(name);
}

function attributesOf(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', value = ''] of text.matchAll(ATTRIBUTE)) found.set(name, unquoted(value));
  return found;
}

/** Values are JSON strings; one that is not valid is taken without its quotes. */
function unquoted(value: string): string {
  if (!value.startsWith('"')) return value;
  try {
    return String(JSON.parse(value));
  } catch {
    // Not JSON after all: as it stands.
    return value.slice(1, -1);
  }
}
