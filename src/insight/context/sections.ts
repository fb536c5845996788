// The sections of chat prompts by name: what each is, and how its path, lines and language are read.

import type { ContextItem, SourceKind } from './item.ts';
import { linesOfSentence, sourceNotes } from './source-text.ts';
import { type Element, outermost } from './tags.ts';

const KIND_BY_SECTION: Readonly<Record<string, SourceKind>> = {
  userRequest: 'user-text',
  user_query: 'user-text',
  prompt: 'user-text',
  attachment: 'attachment',
  resource: 'attachment',
  selection: 'selection',
  'file-selection': 'selection',
  'selected-code': 'selection',
  file: 'current-file',
  'file-cursor-context': 'current-file',
  currentFile: 'current-file',
  currentDocument: 'current-file',
  currentChange: 'git',
  editorContext: 'editor-context',
  environment_info: 'environment',
  context: 'environment',
  workspace_info: 'workspace-tree',
  workspaceFolder: 'workspace-tree',
  projectLabels: 'workspace-tree',
  userMemory: 'memory',
  sessionMemory: 'memory',
  repoMemory: 'memory',
  repository_memories: 'memory',
  memoryInstructions: 'system-prompt',
  'conversation-summary': 'summary',
  summary: 'summary',
  todoList: 'todo-list',
  instructions: 'custom-instructions',
  'custom-instructions': 'custom-instructions',
  modeInstructions: 'custom-instructions',
  symbolDefinitions: 'symbols',
  languageServerContext: 'symbols',
  testsFile: 'related-file',
  relatedTest: 'related-file',
  relatedSource: 'related-file',
  testFailure: 'test-output',
  stackFrame: 'test-output',
  expectedOutput: 'test-output',
  actualOutput: 'test-output',
  'cell-output': 'notebook',
  'notebook-cell-output': 'notebook',
  'cell-execution-error': 'notebook',
  cellsAbove: 'notebook',
  cellsBelow: 'notebook',
  error: 'diagnostics',
  'repository-context': 'git',
  'user-commits': 'git',
  'recent-commits': 'git',
  changes: 'git',
  'original-code': 'git',
  'code-changes': 'git',
  'PostToolUse-context': 'tool-result',
  availableDeferredTools: 'tool-definitions',
  attachments: 'attachment',
  toolReferences: 'prompt-text',
  reminderInstructions: 'prompt-text',
  reminder: 'prompt-text',
  additional_skills_reminder: 'prompt-text',
  task: 'workspace-tree',
  analysis: 'summary',
  settings: 'prompt-text',
  command: 'prompt-text',
  releaseNotes: 'prompt-text',
  readme: 'related-file',
  schema: 'prompt-text',
  invalidPatch: 'edit-window',
  patchFormat: 'prompt-text',
  'execution-summaries': 'notebook',
};

const NAMES: ReadonlySet<string> = new Set(Object.keys(KIND_BY_SECTION));
const ATTACHMENTS = new Set(['attachment']);
const INSIDE_CONTEXT = new Set(['todoList']);

/**
 * Whether a text comes from the client's system message, from a user message that a person wrote, or from a user message
 * that the client or a model wrote (helpers, subagents).
 */
export type Place = 'system' | 'person' | 'client';

export interface SectionItems {
  readonly items: readonly ContextItem[];
  /** True when the text has sections: what stands between them was then written by the client. */
  readonly isPrompt: boolean;
}

export function sectionItems(text: string, place: Place): SectionItems {
  const { elements, rest } = outermost(text, NAMES);
  // File content may hold a fake request: the last one is the real one.
  const request = elements.findLastIndex(({ name }) => KIND_BY_SECTION[name] === 'user-text');
  const items = elements.flatMap((element, at) =>
    KIND_BY_SECTION[element.name] === 'user-text' && at !== request
      ? [{ kind: 'other', text: element.body, detail: element.name } as const]
      : elementItems(element, place).map((item) => writtenBy(place, item)),
  );
  if (rest === '') return { items, isPrompt: elements.length > 0 };
  const kind =
    place === 'system' ? 'system-prompt' : elements.length > 0 || place === 'client' ? 'prompt-text' : 'user-text';
  return { items: [...items, { kind, text: rest }], isPrompt: elements.length > 0 };
}

/** A subagent's request was written by the model that started it. */
const writtenBy = (place: Place, item: ContextItem): ContextItem =>
  place === 'client' && item.kind === 'user-text' ? { ...item, kind: 'prompt-text' } : item;

function elementItems(element: Element, place: Place): ContextItem[] {
  switch (element.name) {
    case 'attachments':
      return childAttachments(element, 'attachment', 'prompt-text');
    case 'instructions':
    case 'modeInstructions':
      return childAttachments(element, 'instruction-file', instructionKind(element, place));
    case 'context':
      return contextItems(element.body);
    case 'editorContext':
      return [editorContext(element.body)];
    case 'attachment':
      return [attachment(element, 'attachment')];
    default:
      return [plain(element)];
  }
}

/** In a system message `instructions` is the client's own text, unless it lists files. */
const instructionKind = ({ name }: Element, place: Place): SourceKind =>
  place === 'system' && name === 'instructions' ? 'system-prompt' : 'custom-instructions';

function childAttachments(parent: Element, kind: SourceKind, restKind: SourceKind): ContextItem[] {
  const { elements, rest } = outermost(parent.body, ATTACHMENTS);
  const items = elements.map((child) => attachment(child, kind));
  return rest === '' ? items : [...items, { kind: restKind, text: rest, detail: parent.name }];
}

/** Ids that start so are internal names, not paths. */
const INTERNAL = /^(vscode\.|prompt:|implicit)/;
const SELECTED = /\b(active selection|selected|selection)\b/i;

function attachment({ attributes, body }: Element, kind: SourceKind): ContextItem {
  const notes = sourceNotes(body);
  const id = attributes.get('id');
  const path =
    attributes.get('filePath') ??
    attributes.get('folderPath') ??
    notes.path ??
    (id && !INTERNAL.test(id) ? id : undefined);
  const isSelection = kind === 'attachment' && SELECTED.test(body.slice(0, body.indexOf('```') + 1 || 200));
  const detail =
    attributes.get('isSummarized') === 'true' ? 'summarised' : attributes.has('folderPath') ? 'folder' : undefined;
  // An element without a body names the file and carries nothing of it.
  if (body === '' && path !== undefined)
    return { kind: 'withheld-reference', text: path, path, detail: detail ?? 'attachment' };
  return {
    kind: isSelection ? 'selection' : kind,
    text: body,
    ...(path === undefined ? {} : { path }),
    ...(notes.language === undefined ? {} : { language: notes.language }),
    ...(notes.lines === undefined ? {} : { lines: notes.lines }),
    ...(detail === undefined ? {} : { detail }),
  };
}

/** From the line `Terminals:` to the next empty line. */
function terminalsOf(text: string): string | undefined {
  const from = /^Terminals?:/m.exec(text)?.index;
  if (from === undefined) return undefined;
  const end = text.indexOf('\n\n', from);
  return text.slice(from, end < 0 ? undefined : end);
}

/** Date, notices of edits, terminals with their last command, the to-do list. */
function contextItems(body: string): ContextItem[] {
  const { elements, rest } = outermost(body, INSIDE_CONTEXT);
  const terminal = terminalsOf(rest);
  const other = (terminal === undefined ? rest : rest.split(terminal).join('')).trim();
  return [
    ...elements.map((child): ContextItem => ({ kind: 'todo-list', text: child.body })),
    ...(terminal === undefined ? [] : [{ kind: 'terminal', text: terminal, detail: 'open terminals' } as const]),
    ...(other === '' ? [] : [{ kind: 'environment', text: other } as const]),
  ];
}

function editorContext(body: string): ContextItem {
  const path = /current file is[: ]+`?([^\s`]+?)`?[.,]?(?:\s|$)/i.exec(body)?.[1];
  const lines = linesOfSentence(body);
  return {
    kind: 'editor-context',
    text: body,
    ...(path === undefined ? {} : { path }),
    ...(lines === undefined ? {} : { lines }),
  };
}

function plain({ name, attributes, body }: Element): ContextItem {
  const notes = sourceNotes(body);
  const path = attributes.get('path') ?? attributes.get('uri') ?? attributes.get('filePath') ?? notes.path;
  const line = Number(attributes.get('line') ?? Number.NaN);
  const lines = notes.lines ?? (Number.isInteger(line) && line > 0 ? { from: line, to: line } : undefined);
  return {
    kind: KIND_BY_SECTION[name] ?? 'other',
    text: body,
    detail: name,
    ...(path === undefined ? {} : { path }),
    ...(notes.language === undefined ? {} : { language: notes.language }),
    ...(lines === undefined ? {} : { lines }),
  };
}
