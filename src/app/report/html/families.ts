// Classes of calls in a few families, each with its colour, so that a glance at a timeline tells what it was.

export interface Family {
  readonly name: string;
  /** Suffix of a style class. */
  readonly style: string;
}

/** The first row that matches. */
const FAMILIES: readonly (readonly [RegExp, Family])[] = [
  [/^(chat\.|byok\.|local\.|agents\.chat|review\.)/, { name: 'chat and agents', style: 'chat' }],
  [/^(completions\.|nes|apply\.)/, { name: 'completions', style: 'completion' }],
  [/^(models\.|router\.|ping)/, { name: 'models and routing', style: 'models' }],
  [/^(auth\.|policy\.|content_exclusion|mcp\.registry|org\.)/, { name: 'sign-in and policy', style: 'auth' }],
  [/^(embeddings\.|chunks|search\.|index\.|ingest\.|snippy\.)/, { name: 'search and index', style: 'search' }],
  [/^(telemetry\.|exp\.)/, { name: 'telemetry', style: 'telemetry' }],
];

const OTHER: Family = { name: 'other', style: 'other' };

export const familyOf = (callClass: string): Family => FAMILIES.find(([names]) => names.test(callClass))?.[1] ?? OTHER;

export const ALL_FAMILIES: readonly Family[] = [...FAMILIES.map(([, family]) => family), OTHER];
