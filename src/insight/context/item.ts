// What a request carries, piece by piece, and why each piece is in it. The table says of every kind what it means and what
// it does not: a file that is being completed is another finding than a file that was pulled into someone else's prompt.

/** First and last line, from 1, both included. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** One piece of one request. `text` is what left the machine: measured and compared, never kept. */
export interface ContextItem {
  readonly kind: SourceKind;
  readonly text: string;
  /** File, folder, URL or repository, as sent. */
  readonly path?: string;
  /** As sent; never guessed from the name. */
  readonly language?: string;
  readonly lines?: LineRange;
  /** True when nobody chose it for this request; false when somebody did; absent when the wire does not tell. */
  readonly implicit?: boolean;
  /** Finer name: the tool, the type of a reference, how many tools. */
  readonly detail?: string;
  /** Size of something whose text is not at hand: an image, a document. */
  readonly bytes?: number;
}

interface KindFacts {
  readonly label: string;
  /** How it came into the request, as far as the wire tells. */
  readonly how: string;
  /** Whether the client adds it by itself. Absent: depends on the item. */
  readonly implicit?: boolean;
}

/** In the order in which they are shown. */
export const SOURCE_KINDS = {
  'user-text': { label: 'user text', how: 'what a person typed', implicit: false },
  attachment: { label: 'attachment', how: 'attached to the message, or added by the editor as its current file' },
  selection: { label: 'selection', how: 'text selected in the editor' },
  reference: { label: 'reference', how: 'reference sent beside the message (copilot_references)' },
  'withheld-reference': {
    label: 'reference without content',
    how: 'named beside the message, its content withheld by the client',
  },
  'editor-context': {
    label: 'editor context',
    how: 'name of the open file and lines selected, without content',
    implicit: true,
  },
  'file-prefix': {
    label: 'file before cursor',
    how: 'the file under the cursor: text before it (a completion inside this file)',
    implicit: true,
  },
  'file-suffix': {
    label: 'file after cursor',
    how: 'the file under the cursor: text after it (a completion inside this file)',
    implicit: true,
  },
  'current-file': { label: 'current file', how: 'the file that is being edited', implicit: true },
  'edit-window': {
    label: 'edit window',
    how: 'lines around the cursor of the file that is being edited',
    implicit: true,
  },
  'recent-edit': {
    label: 'recent edit',
    how: 'pulled in because it was edited shortly before, whatever file the request is for',
    implicit: true,
  },
  'similar-file': { label: 'similar file', how: 'pulled in from another open file that looks similar', implicit: true },
  'open-editor': {
    label: 'viewed file',
    how: 'pulled in because it was open or viewed shortly before',
    implicit: true,
  },
  'related-file': { label: 'related file', how: 'pulled in as a test or source of the current file', implicit: true },
  symbols: { label: 'symbols', how: 'definitions found by the language server', implicit: true },
  diagnostics: { label: 'diagnostics', how: 'errors and warnings of the editor', implicit: true },
  traits: { label: 'traits', how: 'facts about the project beside a completion', implicit: true },
  'tool-result': { label: 'tool result', how: 'answer of a tool that the model called', implicit: true },
  'file-read': { label: 'file read by tool', how: 'read by a tool that the model called', implicit: true },
  'search-result': { label: 'search result', how: 'found by a search that the model made', implicit: true },
  terminal: { label: 'terminal', how: 'commands or output of a terminal', implicit: true },
  'web-page': { label: 'web page', how: 'fetched by a tool that the model called', implicit: true },
  memory: { label: 'memory', how: 'notes kept between conversations', implicit: true },
  'session-store': { label: 'session store', how: 'rows of the local store of earlier sessions', implicit: true },
  'todo-list': { label: 'to-do list', how: 'the agent’s own list', implicit: true },
  'instruction-file': {
    label: 'instruction file',
    how: 'instructions kept in a file of the workspace or the user',
    implicit: true,
  },
  'custom-instructions': {
    label: 'custom instructions',
    how: 'instructions from settings or the organisation',
    implicit: true,
  },
  'workspace-tree': { label: 'workspace tree', how: 'folders, tasks and file names of the workspace', implicit: true },
  environment: { label: 'environment', how: 'operating system, date and similar', implicit: true },
  git: { label: 'git', how: 'commits and changes of the repository', implicit: true },
  repository: { label: 'repository name', how: 'owner and name of the repository', implicit: true },
  'test-output': { label: 'test output', how: 'output of failed tests', implicit: true },
  notebook: { label: 'notebook', how: 'cells or outputs of a notebook', implicit: true },
  image: { label: 'image', how: 'picture in the message or in a tool’s result' },
  document: { label: 'document', how: 'document in the message' },
  history: { label: 'history', how: 'earlier answers of the model, sent back', implicit: true },
  'tool-call': {
    label: 'tool call',
    how: 'earlier calls of tools by the model, with their arguments, sent back',
    implicit: true,
  },
  summary: { label: 'summary', how: 'summary that replaced the history', implicit: true },
  'system-prompt': { label: 'system prompt', how: 'the client’s own instructions to the model', implicit: true },
  'tool-definitions': { label: 'tool definitions', how: 'tools offered to the model', implicit: true },
  'prompt-text': { label: 'prompt text', how: 'text that the client puts around the rest', implicit: true },
  'search-input': { label: 'search input', how: 'text sent to be embedded or searched for' },
  upload: {
    label: 'upload',
    how: 'text sent to a service that is no model: index, code search, reference look-up, session sync',
    implicit: true,
  },
  'prompt-copy': {
    label: 'prompt copy',
    how: 'second copy of the user’s question, sent to the router that chooses a model',
    implicit: true,
  },
  other: { label: 'other', how: 'not recognised', implicit: true },
} as const satisfies Record<string, KindFacts>;

export type SourceKind = keyof typeof SOURCE_KINDS;

/** An item with what its kind says about being chosen, where the item itself does not say it. */
export function withKindFacts(item: ContextItem): ContextItem {
  const facts: KindFacts = SOURCE_KINDS[item.kind];
  return item.implicit === undefined && facts.implicit !== undefined ? { ...item, implicit: facts.implicit } : item;
}

/** The fields that are there, for building items. */
export const present = <T extends object>(fields: { readonly [K in keyof T]: T[K] | undefined }): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
