import { expect, it } from 'vitest';
import { mcpPrefixesOf, mcpServerOf, permissionOf } from '../../src/insight/tools.ts';
import { system, user } from './calls.ts';

it('knows what the tools of editor, command line and Claude may do', () => {
  const tools = [
    'read_file',
    'Read',
    'apply_patch',
    'MultiEdit',
    'run_in_terminal',
    'Bash',
    'fetch_webpage',
    'WebFetch',
  ];
  expect(tools.map(permissionOf)).toEqual([
    'read',
    'read',
    'edit',
    'edit',
    'terminal',
    'terminal',
    'network',
    'network',
  ]);
  expect(permissionOf('manage_todo_list')).toBe('other');
  expect(permissionOf('mcp_github_create_issue')).toBe('other');
});

it('tells the server of an MCP tool by the prefix that the prompt names, else by its first word', () => {
  expect(mcpServerOf('mcp_github_create_issue')).toBe('github');
  expect(mcpServerOf('mcp_my_server_do_it')).toBe('my');
  expect(mcpServerOf('mcp_my_server_do_it', ['mcp_my_server'])).toBe('my_server');
  expect(mcpServerOf('read_file')).toBeUndefined();
  expect(mcpServerOf('mcp_')).toBeUndefined();
});

it('finds the prefixes in the system text only, longest first', () => {
  const mark = (prefix: string) => `<instruction forToolsWithPrefix="${prefix}">\nx\n</instruction>`;
  const messages = [system(mark('mcp_my') + mark('mcp_my_server')), user(mark('mcp_fake'))];
  const request = { dialect: '', model: null, stream: true, messages, tools: [], parameters: {} };
  expect(mcpPrefixesOf(request)).toEqual(['mcp_my_server', 'mcp_my']);
});
