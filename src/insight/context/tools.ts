// What the calls and results of tools carry: which file, which lines, by the tool's arguments. Names of VS Code's agent, of
// Copilot CLI and of Claude Code.

import { listOf, numberOrNone, objectOf, readJson, textOf, textOrNone } from '../../dialects/index.ts';
import type { ContextItem, LineRange, SourceKind } from './item.ts';
import { outermost } from './tags.ts';

/** A tool call as far as its result needs it. */
export interface CalledTool {
  readonly name: string;
  readonly argumentsText: string;
}

const KIND_BY_TOOL: readonly (readonly [names: RegExp, kind: SourceKind])[] = [
  [/^(read_file|view|view_image|Read|NotebookRead|copilot_getNotebookSummary)$/, 'file-read'],
  [
    /^(grep_search|semantic_search|file_search|test_search|search_workspace_symbols|github_text_search|get_search_view_results|grep|glob|Grep|Glob)$/,
    'search-result',
  ],
  [
    /^(run_in_terminal|get_terminal_output|send_to_terminal|terminal_selection|terminal_last_command|get_task_output|run_task|create_and_run_task|bash|read_bash|write_bash|Bash|BashOutput)$/,
    'terminal',
  ],
  [/^(memory|store_memory|resolve_memory_file_uri)$/, 'memory'],
  [/^(manage_todo_list|update_todo|TodoWrite)$/, 'todo-list'],
  [/^(session_store_sql|sql)$/, 'session-store'],
  [/^(fetch_webpage|web_fetch|WebFetch|web_search|WebSearch|read_page|open_browser_page)$/, 'web-page'],
  [/^(list_dir|read_project_structure|LS)$/, 'workspace-tree'],
  [/^(get_errors)$/, 'diagnostics'],
  [/^(get_changed_files)$/, 'git'],
  [/^(test_failure|testFailure|runTests)$/, 'test-output'],
  [/^(read_notebook_cell_output|run_notebook_cell)$/, 'notebook'],
];

/** Arguments that name a file or folder, in the order of preference. */
const PATH_ARGUMENTS = ['filePath', 'file_path', 'path', 'notebook_path', 'dirPath', 'repositoryPath', 'uri', 'url'];

/** Sections of a search's result that name a file. */
const FOUND = new Set(['match', 'file', 'attachment', 'resource']);

export const kindOfTool = (name: string): SourceKind =>
  KIND_BY_TOOL.find(([names]) => names.test(name))?.[1] ?? 'tool-result';

export function toolPath(argumentsText: string): string | undefined {
  const args = objectOf(readJson(argumentsText).value);
  const named = PATH_ARGUMENTS.map((name) => textOrNone(args[name])).find((path) => path !== undefined);
  return named ?? textOrNone(listOf(args['urls'])[0]) ?? textOrNone(listOf(args['filePaths'])[0]);
}

/** Lines that a reading tool was asked for: `startLine`/`endLine`, `offset`/`limit`, or `view_range`. */
export function toolLines(argumentsText: string): LineRange | undefined {
  const args = objectOf(readJson(argumentsText).value);
  const range = listOf(args['view_range']);
  const from = numberOrNone(args['startLine']) ?? numberOrNone(args['offset']) ?? numberOrNone(range[0]);
  if (from === undefined) return undefined;
  const limit = numberOrNone(args['limit']);
  const to =
    numberOrNone(args['endLine']) ?? numberOrNone(range[1]) ?? (limit === undefined ? undefined : from + limit - 1);
  return to === undefined || to < from ? undefined : { from, to };
}

/** The result of a tool; `called` is undefined when its call was not seen. */
export function toolResultItems(text: string, called: CalledTool | undefined): ContextItem[] {
  if (called === undefined) return [{ kind: 'tool-result', text, detail: 'call not seen' }];
  const kind = kindOfTool(called.name);
  const path = toolPath(called.argumentsText);
  if (kind === 'search-result') return searchItems(text, called.name, path);
  const lines = kind === 'file-read' ? toolLines(called.argumentsText) : undefined;
  return [
    {
      kind,
      text,
      detail: called.name,
      ...(path === undefined ? {} : { path }),
      ...(lines === undefined ? {} : { lines }),
    },
  ];
}

/** A search shows pieces of many files: one item each, as far as they are marked. */
function searchItems(text: string, tool: string, scope: string | undefined): ContextItem[] {
  const { elements, rest } = outermost(text, FOUND);
  const found = elements.flatMap(({ attributes, body }): ContextItem[] => {
    const path = attributes.get('path') ?? attributes.get('filePath') ?? attributes.get('uri');
    const line = Number(attributes.get('line') ?? Number.NaN);
    const lines =
      Number.isInteger(line) && line > 0 ? { lines: { from: line, to: line + body.split('\n').length - 1 } } : {};
    return [{ kind: 'search-result', text: body, detail: tool, ...(path === undefined ? {} : { path }), ...lines }];
  });
  const other: ContextItem[] =
    rest === ''
      ? []
      : [{ kind: 'search-result', text: rest, detail: tool, ...(scope === undefined ? {} : { path: scope }) }];
  return [...found, ...other];
}

const PATCH_FILE = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm;

/** An earlier call of a tool, sent back with its arguments: what the model wrote into files travels again. */
export function toolCallItems({ name, argumentsText }: CalledTool): ContextItem[] {
  if (name === 'apply_patch') {
    const patch = textOf(objectOf(readJson(argumentsText).value)['input']) || argumentsText;
    const heads = [...patch.matchAll(PATCH_FILE)];
    if (heads.length > 0) {
      return heads.map((head, at) => ({
        kind: 'tool-call',
        text: patch.slice(head.index, heads[at + 1]?.index),
        detail: name,
        path: (head[1] ?? '').trim(),
      }));
    }
  }
  const path = toolPath(argumentsText);
  return [{ kind: 'tool-call', text: argumentsText, detail: name, ...(path === undefined ? {} : { path }) }];
}
