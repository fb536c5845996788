// What a tool may do, by its name: read, edit, run in a terminal, go to the network, or else. MCP tools carry the name of
// their server in theirs; what they may do only the server knows.
//
// LIMITS: the server's part of an MCP tool's name ends at an underscore that no rule tells from others. A prefix that the
// prompt names (`forToolsWithPrefix`) decides; without one the first word is taken for the server.

import type { LlmRequest } from '../model/index.ts';

export type ToolPermission = 'read' | 'edit' | 'terminal' | 'network' | 'other';

/** Names of the editor's tools, of Copilot CLI's and of Claude's, in lower case: `Read` and `read` are the same act. */
const NAMES: Readonly<Record<Exclude<ToolPermission, 'other'>, readonly string[]>> = {
  read: [
    'read_file',
    'view_image',
    'list_dir',
    'file_search',
    'grep_search',
    'semantic_search',
    'search_workspace_symbols',
    'get_errors',
    'get_changed_files',
    'read_project_structure',
    'test_search',
    'test_failure',
    'testfailure',
    'get_search_view_results',
    'get_vscode_api',
    'get_project_setup_info',
    'read_notebook_cell_output',
    'copilot_getnotebooksummary',
    'resolve_memory_file_uri',
    'session_store_sql',
    'view',
    'glob',
    'grep',
    'ls',
    'read',
    'lsp',
    'show_file',
  ],
  edit: [
    'apply_patch',
    'insert_edit_into_file',
    'create_file',
    'create_directory',
    'replace_string_in_file',
    'multi_replace_string_in_file',
    'edit_notebook_file',
    'edit_files',
    'create_new_workspace',
    'create_new_jupyter_notebook',
    'create',
    'edit',
    'insert',
    'str_replace',
    'str_replace_editor',
    'multiedit',
    'write',
    'notebookedit',
  ],
  terminal: [
    'run_in_terminal',
    'get_terminal_output',
    'send_to_terminal',
    'kill_terminal',
    'terminal_selection',
    'terminal_last_command',
    'create_and_run_task',
    'run_task',
    'get_task_output',
    'runtests',
    'run_notebook_cell',
    'run_vscode_command',
    'bash',
    'read_bash',
    'write_bash',
    'stop_bash',
    'list_bash',
    'bashoutput',
    'killbash',
  ],
  network: [
    'fetch_webpage',
    'github_repo',
    'github_text_search',
    'install_extension',
    'web_fetch',
    'web_search',
    'webfetch',
    'websearch',
    'create_pull_request',
    'open_browser_page',
    'navigate_page',
    'read_page',
    'screenshot_page',
    'click_element',
    'hover_element',
    'drag_element',
    'type_in_page',
    'handle_dialog',
    'run_playwright_code',
  ],
};

const PERMISSIONS: ReadonlyMap<string, ToolPermission> = new Map(
  Object.entries(NAMES).flatMap(([permission, names]) => names.map((name) => [name, permission as ToolPermission])),
);

export const permissionOf = (tool: string): ToolPermission => PERMISSIONS.get(tool.toLowerCase()) ?? 'other';

/** Server of an MCP tool, undefined for other tools. `prefixes` are those that the prompt names, see `mcpPrefixesOf`. */
export function mcpServerOf(tool: string, prefixes: readonly string[] = []): string | undefined {
  if (!tool.startsWith('mcp_')) return undefined;
  const known = prefixes.find((prefix) => tool.startsWith(prefix));
  const label = (known ?? /^mcp_[^_]+/.exec(tool)?.[0] ?? tool).slice(4).replace(/_+$/, '');
  return label === '' ? undefined : label;
}

/** System text that is searched: server instructions stand in it, after the rules of the editor. */
const MAX_SEARCHED_CHARS = 256 * 1024;
/** Servers of one request. */
const MAX_PREFIXES = 100;

/** Prefixes of MCP tools that the system text names, longest first. */
export function mcpPrefixesOf(request: LlmRequest): readonly string[] {
  const found = new Set<string>();
  for (const { role, parts } of request.messages) {
    if (role !== 'system') continue;
    for (const part of parts) {
      if (part.kind !== 'text') continue;
      for (const [, prefix] of part.text
        .slice(0, MAX_SEARCHED_CHARS)
        .matchAll(/forToolsWithPrefix="(mcp_[\w.-]{1,60})"/g))
        if (prefix !== undefined && found.size < MAX_PREFIXES) found.add(prefix);
    }
  }
  return [...found].sort((a, b) => b.length - a.length);
}
