// Bodies and messages without their secrets, byte for byte as long as before: searched as they are written, and then the
// strings of a stream of JSON messages as the reader will join them.

import { charactersOf, type JsonString, jsonStrings, textOfCharacters, type WrittenCharacter } from './json-strings.ts';

/** The text without secrets, of the same length. */
export type ChangeText = (text: string) => string;

/** Where the JSON texts of a stream begin and end: SSE data, lines of NDJSON, or the whole. */
function jsonRanges(text: string): (readonly [from: number, to: number])[] {
  const ranges: (readonly [number, number])[] = [];
  for (const match of text.matchAll(/^(?:data: ?)?(?=[{[])([^\r\n]*)/gm))
    ranges.push([match.index + match[0].length - (match[1] ?? '').length, match.index + match[0].length]);
  return ranges;
}

/** Pieces of one joined text: streams in which a secret can be cut. Single pieces were searched as written. */
function streamsOf(strings: readonly JsonString[]): JsonString[][] {
  const byPath = new Map<string, JsonString[]>();
  for (const string of strings) {
    const pieces = byPath.get(string.path);
    if (pieces === undefined) byPath.set(string.path, [string]);
    else pieces.push(string);
  }
  return [...byPath.values()].filter((pieces) => pieces.length > 1);
}

/** The changed character, written as the one before was. */
function written({ length }: WrittenCharacter, character: string): string {
  return length === 1 ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** What is written instead of the characters from `at` on, as many. */
interface Edit {
  readonly at: number;
  readonly text: string;
}

/** What `change` makes of the joined pieces, as edits of the whole text. */
function editsOf(text: string, pieces: readonly JsonString[], change: ChangeText): Edit[] {
  const characters = pieces.flatMap((piece) => charactersOf(text, piece));
  const joined = textOfCharacters(characters);
  const changed = change(joined);
  if (changed === joined || changed.length !== joined.length) return [];
  return characters.flatMap((one, i) => {
    const character = changed[i] ?? '';
    // Only letters and digits change, and they are written as themselves or in six characters.
    return character === one.character || one.length === 2 ? [] : [{ at: one.at, text: written(one, character) }];
  });
}

/** `text` without secrets, in the same number of characters. */
export function scrubText(text: string, change: ChangeText): string {
  const plain = keepLength(text, change(text));
  const streams = streamsOf(jsonRanges(plain).flatMap(([from, to]) => jsonStrings(plain, from, to)));
  const edits = streams.flatMap((pieces) => editsOf(plain, pieces, change)).sort((a, b) => a.at - b.at);
  let out = '';
  let done = 0;
  for (const { at, text: written } of edits) {
    out += plain.slice(done, at) + written;
    done = at + written.length;
  }
  return out + plain.slice(done);
}

/** A change that would alter the length cannot be written: then nothing of the text is. */
const keepLength = (before: string, after: string): string =>
  after.length === before.length ? after : before.replace(/[A-Za-z0-9]/g, 'x');

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): { readonly text: string; readonly encoding: 'utf8' | 'latin1' } {
  try {
    return { text: strictUtf8.decode(bytes), encoding: 'utf8' };
  } catch {
    return { text: Buffer.from(bytes).toString('latin1'), encoding: 'latin1' };
  }
}

/** A whole body without its secrets; the same array when it has none. */
export function scrubBody(bytes: Uint8Array, change: ChangeText): Uint8Array {
  const { text, encoding } = decode(bytes);
  const changed = scrubText(text, change);
  return changed === text ? bytes : Buffer.from(changed, encoding);
}

/** Messages of one side of a WebSocket, as one stream. */
export function scrubMessages(messages: readonly Uint8Array[], change: ChangeText): Uint8Array[] {
  const decoded = messages.map(decode);
  // A message holds no raw line break where it is JSON; others are searched alone.
  const lines = decoded.map(({ text }) => (/[\r\n]/.test(text) ? '' : text));
  const joined = scrubText(lines.join('\n'), change).split('\n');
  return decoded.map(({ text, encoding }, i) => {
    const changed = lines[i] === text ? (joined[i] ?? text) : scrubText(text, change);
    return Buffer.from(changed, encoding);
  });
}
