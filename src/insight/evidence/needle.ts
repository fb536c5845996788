// What is searched, in all the forms in which it may have travelled. Prepared once, tried on every text.

/** Turns text into base64 of its UTF-8; handed in, since the core has no encoder. */
export interface Encodings {
  base64(bytes: Uint8Array): string;
  sha256(data: Uint8Array): string;
}

export interface Form {
  /** How the text travelled, for people. */
  readonly how: string;
  readonly text: string;
}

export interface Needle {
  readonly kind: 'text' | 'file' | 'sha256';
  /** The text itself, `''` for a hash. Secret: never shown. */
  readonly text: string;
  /** Literal forms, the plainest first. */
  readonly forms: readonly Form[];
  /** Without regard to white space; undefined when too little is left. */
  readonly squeezed?: string;
  /** Of a file: lines that mean something, trimmed, with their number. */
  readonly lines: ReadonlyMap<string, number>;
  /** Of a hash: lower-case hexadecimal. */
  readonly sha256?: string;
}

/** Shorter forms occur by chance. */
const MIN_ENCODED_BYTES = 8;
const MIN_SQUEEZED_CHARS = 8;
/** Lines of a file that are looked for. */
const MAX_LINES = 20_000;
/** Shorter lines mean nothing alone. */
const MIN_LINE_CHARS = 8;

const utf8 = new TextEncoder();

export function textNeedle(text: string, encodings: Encodings): Needle {
  const squeezed = squeeze(text);
  return {
    kind: 'text',
    text,
    forms: formsOf(text, utf8.encode(text), encodings),
    ...(squeezed.length >= MIN_SQUEEZED_CHARS ? { squeezed } : {}),
    lines: new Map(),
  };
}

/** `text` is undefined for a file that is no UTF-8: only its base64 and its hash can be found then. */
export function fileNeedle(bytes: Uint8Array, text: string | undefined, encodings: Encodings): Needle {
  const plain = text === undefined ? undefined : textNeedle(text, encodings);
  return {
    kind: 'file',
    text: text ?? '',
    forms: plain?.forms ?? base64Forms(bytes, encodings),
    ...(plain?.squeezed === undefined ? {} : { squeezed: plain.squeezed }),
    lines: text === undefined ? new Map() : linesOf(text),
    sha256: encodings.sha256(bytes),
  };
}

export const hashNeedle = (sha256: string): Needle => ({
  kind: 'sha256',
  text: '',
  forms: [],
  lines: new Map(),
  sha256: sha256.toLowerCase(),
});

function formsOf(text: string, bytes: Uint8Array, encodings: Encodings): Form[] {
  const json = JSON.stringify(text).slice(1, -1);
  const twice = JSON.stringify(json).slice(1, -1);
  const ascii = json.replace(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const forms: Form[] = [
    { how: 'as it is', text },
    { how: 'with white space trimmed', text: text.trim() },
    { how: 'with JSON escapes', text: json },
    { how: 'with JSON escapes', text: ascii },
    { how: 'with JSON escapes, twice', text: twice },
    { how: 'percent-encoded', text: percent(text) },
    ...base64Forms(bytes, encodings),
  ];
  const seen = new Set<string>();
  return forms.filter(({ text: form }) => form !== '' && !seen.has(form) && seen.add(form));
}

/** encodeURIComponent refuses lone surrogates. */
const percent = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));

/**
 * Base64 of a text that stands at any place of a longer one: three alignments; what its neighbours influence is cut off.
 * RFC 4648 §4 and §5.
 */
function base64Forms(bytes: Uint8Array, { base64 }: Encodings): Form[] {
  if (bytes.length < MIN_ENCODED_BYTES) return [];
  return [0, 1, 2].flatMap((before) => {
    const padded = new Uint8Array(before + bytes.length);
    padded.set(bytes, before);
    const whole = base64(padded).replace(/=+$/, '');
    const start = Math.ceil((before * 8) / 6);
    const end = whole.length - (((before + bytes.length) * 8) % 6 === 0 ? 0 : 1);
    const standard = whole.slice(start, end);
    const url = standard.replaceAll('+', '-').replaceAll('/', '_');
    return [standard, url].map((text) => ({ how: 'in base64', text }));
  });
}

export const squeeze = (text: string): string => text.replace(/\s+/g, ' ').trim();

function linesOf(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  let number = 0;
  for (const line of text.split('\n')) {
    number += 1;
    const plain = line.trim();
    if (plain.length >= MIN_LINE_CHARS && !lines.has(plain)) lines.set(plain, number);
    if (lines.size >= MAX_LINES) break;
  }
  return lines;
}
