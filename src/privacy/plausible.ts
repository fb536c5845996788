// Tells secrets from what merely looks like one. Redaction may be generous: it costs a word in a listing. A finding that is
// none costs its reader's trust, so it must pass this too. Entropy is a support here, never a reason by itself.

/** Shannon entropy in bits per character. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** What people write where a secret belongs, in documentation and templates. */
const PLACEHOLDER =
  /example|sample|dummy|change_?me|place_?holder|your|insert|replace|redacted|xxxx|\*\*\*|\.\.\.|0123456|1234567|abcdef|lorem|foo_?bar|<[^>]*>|\$\{|\$\(|\{\{|%s|%\(|process\.|os\.|env\.|getenv|null|undefined|function|return|=>/i;

/** Names, member chains and calls: code where a literal could stand. */
const CODE =
  /^[A-Za-z_$][\w$]*(?:(?:\.|->|::)[A-Za-z_$][\w$]*)+[!?]?$|^[$@%]|[()[\]{}]|^[/~.]|:\/\/|^[\d.,:x-]+$|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;

/** Words have vowels, and hardly ever five consonants in a row. */
const isPronounceable = (word: string): boolean =>
  word.length < 3 || (/[aeiouy]/i.test(word) && !/[^aeiouy]{5}/i.test(word));

/**
 * Words joined as identifiers are: `accessTokenProvider`, `Uint8Array`, `secret-2-levels`. Random text changes between
 * small, capital and digit every character or two; where it does not, it has digits all over, symbols, or no vowels.
 */
const MIN_WORD_LENGTH = 3.5;
function isWords(value: string): boolean {
  if (/[!#$%&*?@^~]/.test(value)) return false;
  const numbers = value.match(/\d+/g) ?? [];
  if (numbers.length >= 3 && !/[-_.:]/.test(value)) return false;
  const words = value.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? [];
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  return words.length > 0 && letters / words.length >= MIN_WORD_LENGTH && words.every(isPronounceable);
}

const classesOf = (value: string): number =>
  [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((one) => one.test(value)).length;

/** Shortest value that is worth a finding: shorter ones are test passwords. */
const MIN_GENERIC_LENGTH = 8;
/** Hash-like and random values of this length have more; words and identifiers less. */
const MIN_GENERIC_ENTROPY = 2.8;
const MIN_LONG_ENTROPY = 3.2;

/** True for the value of a secret name, of a scheme or of a user part that is probably a real secret. */
export function isPlausibleValue(value: string): boolean {
  if (value.length < MIN_GENERIC_LENGTH || /\s/.test(value)) return false;
  if (PLACEHOLDER.test(value) || CODE.test(value) || isWords(value)) return false;
  return (
    /\d/.test(value) &&
    classesOf(value) >= 2 &&
    entropyOf(value) >= (value.length >= 20 ? MIN_LONG_ENTROPY : MIN_GENERIC_ENTROPY)
  );
}

/** Stricter shapes than redaction's, for kinds whose prefix also begins ordinary names. */
const STRICT: Readonly<Record<string, RegExp>> = {
  'github-token': /^(?:gh[oupsr]_[A-Za-z0-9_]{16,}|github_pat_\w{22,})/,
  'openai-key': /^sk-(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]{20,}$|^sk-[a-f0-9]{32,}$|^sk-or-v1-[a-f0-9]{32,}$/,
  'npm-token': /^npm_[A-Za-z0-9]{36}$/,
  'huggingface-token': /^hf_[A-Za-z0-9]{30,}$/,
  'aws-key': /^A[KS]IA[A-Z0-9]{16}$/,
  'google-key': /^AIza[\w-]{35}/,
  'slack-token': /^(?:xox[a-z]-(?=[\w-]*\d)|xapp-\d)[\w-]{10,}/,
  'stripe-key': /^[sr]k_(?:live|test)_[A-Za-z0-9]{16,}/,
  'copilot-token': /^tid=[\w-]+;/,
  jwt: /^eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*|^eyJ[\w-]{10,}\.[\w-]{20,}\.[\w-]{10,}/,
  'replicate-token': /^r8_[A-Za-z0-9]{37}$/,
  'pypi-token': /^pypi-AgE[\w-]{40,}|^pypi-[\w-]{80,}/,
};

/** A body of one character over and over is a template, not a key. */
const MIN_SHAPED_ENTROPY = 2.2;

/** Kinds that are known by what stands before them, not by their own shape. */
export const CONTEXT_KINDS: ReadonlySet<string> = new Set(['secret', 'credentials', 'user-info', 'cookie']);

const userInfoPassword = (value: string): string => value.slice(value.indexOf(':') + 1);

/** The credential in `Basic …`, decoded text or as it stands. */
export function isPlausible(kind: string, secret: string): boolean {
  if (kind === 'private-key') return secret.length > 120;
  if (kind === 'user-info') return secret.includes(':') && isPlausibleValue(userInfoPassword(secret));
  if (CONTEXT_KINDS.has(kind)) return isPlausibleValue(secret);
  const strict = STRICT[kind];
  return (strict === undefined || strict.test(secret)) && entropyOf(secret.slice(-24)) >= MIN_SHAPED_ENTROPY;
}
