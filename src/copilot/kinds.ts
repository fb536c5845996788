// THE table of chat-call kinds: what a chat call is for, told by headers and prompt. First match wins. Order: foreign
// agents by their agent string, other extensions, interaction type, structure (forced tools, stop words, tags, task
// texts), then surface and initiator. A model's name decides only at the completions host: names change monthly.
//
// Anchors are short fragments of prompts as of the sources named in docs/classes.md; a changed prompt falls through to
// the surface rows or to no kind, never to a wrong class.

import type { LlmRequest } from '../model/index.ts';
import { type ChatView, chatViewOf } from './chat-view.ts';
import type { CallView } from './view.ts';

export interface KindRule {
  readonly kind: string;
  readonly about: string;
  /** What it is recognised by, for the evidence. */
  readonly says: string;
  readonly holds: (chat: ChatView) => boolean;
}

const CHAT_CLASSES = new Set([
  'chat.completions',
  'chat.responses',
  'chat.responses.ws',
  'chat.messages',
  'byok.custom',
  'byok.openai',
  'byok.anthropic',
  'byok.gemini',
  'byok.openrouter',
  'byok.xai',
  'byok.azure',
  'byok.ollama',
  'local.claude_proxy',
  'local.responses_proxy',
]);

const intent = (chat: ChatView, ...names: string[]): boolean =>
  names.some((name) => chat.intent === `conversation-${name}`);
const hasTag = (text: string, tag: string): boolean => new RegExp(`<${tag}[\\s>/]`).test(text);
const anyText = (chat: ChatView, pattern: RegExp): boolean => pattern.test(chat.system) || pattern.test(chat.lastUser);
const only = (chat: ChatView, names: ReadonlySet<string>): boolean =>
  chat.tools.length > 0 && chat.tools.every((name) => names.has(name));
const oneTool = (chat: ChatView, name: string): boolean => chat.tools.length === 1 && chat.tools[0] === name;

const SEARCH_TOOLS = new Set(['semantic_search', 'file_search', 'grep_search', 'read_file']);
const FINAL_ANSWER = /<final_answer>/;
const SUMMARY_TASK = /comprehensive, detailed summary|Chronological Review|Continuation Plan/;
/** Tools that only Copilot CLI offers. */
const CLI_TOOLS = ['report_intent', 'read_bash', 'write_bash', 'stop_bash', 'store_memory', 'exit_plan_mode'];

/** A subagent of a tool, not of `runSubagent`: that one works on the agent surface, with whatever tools it was given. */
const isInnerSubagent = (chat: ChatView): boolean =>
  chat.interactionType === 'conversation-subagent' && !intent(chat, 'agent');

/** The surface is the agent's: by intent, or (own keys send none) by tools together with the user's tag. */
const isAgentic = (chat: ChatView): boolean =>
  intent(chat, 'agent') || (chat.intent === '' && chat.tools.length > 0 && hasUserRequest(chat));
const hasUserRequest = (chat: ChatView): boolean =>
  hasTag(chat.lastUser, 'userRequest') || hasTag(chat.lastUser, 'user_query');

export const KINDS: readonly KindRule[] = [
  kind(
    'agent.claude',
    'Claude agent through the editor',
    'agent string vscode_claude_code or intent messages-proxy',
    (c) =>
      c.userAgent.startsWith('vscode_claude_code') || c.intent === 'messages-proxy' || c.class === 'local.claude_proxy',
  ),
  kind(
    'agent.codex',
    'Codex agent through the editor',
    'agent string vscode_codex or intent responses-proxy',
    (c) =>
      c.userAgent.startsWith('vscode_codex') || c.intent === 'responses-proxy' || c.class === 'local.responses_proxy',
  ),
  kind(
    'lm_api',
    'another extension through the language model API',
    'header x-onbehalf-extension-id',
    (c) => c.onBehalf !== '',
  ),
  kind(
    'compaction',
    'summarises the conversation to go on with less',
    'interaction type conversation-compaction',
    (c) => c.interactionType === 'conversation-compaction',
  ),
  kind(
    'agent.search_subagent',
    'subagent that searches',
    'only search tools and <final_answer>, or subagent interaction beside the agent surface',
    (c) => only(c, SEARCH_TOOLS) && (isInnerSubagent(c) || anyText(c, FINAL_ANSWER)),
  ),
  kind(
    'agent.execution_subagent',
    'subagent that runs commands',
    'only tool run_in_terminal and <final_answer>, or subagent interaction beside the agent surface',
    (c) => oneTool(c, 'run_in_terminal') && (isInnerSubagent(c) || anyText(c, FINAL_ANSWER)),
  ),
  kind(
    'agent.subagent',
    'subagent of an agent turn',
    'interaction type conversation-subagent',
    (c) => c.interactionType === 'conversation-subagent',
  ),
  kind(
    'intent_detect',
    'chooses what handles a question',
    'stop ";" and max_tokens 20',
    (c) => c.parameters['max_tokens'] === 20 && JSON.stringify(c.parameters['stop'] ?? null) === '[";"]',
  ),
  kind('categorize', 'categorises a question', 'sole tool categorize_prompt', (c) => oneTool(c, 'categorize_prompt')),
  kind(
    'mcp.setup',
    'asks for the settings of an MCP server',
    'exactly two tools, quick input and quick pick',
    (c) => c.tools.length === 2 && c.tools.every((name) => /quick_?(input|pick)/i.test(name)),
  ),
  kind(
    'summarize.session',
    'summarises a session',
    'summary task on the panel without tools',
    (c) => intent(c, 'panel') && c.tools.length === 0 && anyText(c, SUMMARY_TASK),
  ),
  kind(
    'compaction',
    'summarises the conversation to go on with less',
    'summary task',
    (c) =>
      (c.toolChoice === 'none' || c.tools.length === 0 || intent(c, 'other')) &&
      SUMMARY_TASK.test(c.system + c.lastUser),
  ),
  kind('title', 'names a chat', 'asks for a pithy title', (c) => /pithy titles?/i.test(c.system)),
  kind('progress_msg', 'writes progress messages', 'asks for encouraging progress messages', (c) =>
    anyText(c, /encouraging progress messages?/i),
  ),
  kind(
    'commit_msg',
    'writes a commit message',
    'tags repository-context, changes or code-changes',
    (c) => intent(c, 'other') && (hasTag(c.lastUser, 'repository-context') || hasTag(c.lastUser, 'code-changes')),
  ),
  kind(
    'heal.patch',
    'repairs a patch that did not apply',
    'tags invalidPatch, patchFormat',
    (c) => hasTag(c.lastUser, 'invalidPatch') || hasTag(c.lastUser, 'patchFormat'),
  ),
  kind(
    'review.selection',
    'reviews a selection',
    'tag currentChange',
    (c) => intent(c, 'other') && hasTag(c.lastUser, 'currentChange'),
  ),
  kind(
    'code_mapper',
    'applies a code block to a file',
    'asks to apply code changes',
    (c) => intent(c, 'other') && /applying code changes/i.test(c.system),
  ),
  kind(
    'virtual_tools',
    'groups tools',
    'tags group and tool',
    (c) => hasTag(c.lastUser, 'group') && hasTag(c.lastUser, 'tool') && c.tools.length === 0,
  ),
  kind(
    'settings.search',
    'searches settings',
    'tag settings',
    (c) => intent(c, 'other') && hasTag(c.lastUser, 'settings'),
  ),
  kind(
    'pr_description',
    'writes a pull request',
    'pull request between +++ marks',
    (c) => intent(c, 'other') && /pull request/i.test(c.system + c.lastUser) && /\+\+\+/.test(c.system + c.lastUser),
  ),
  kind(
    'heal.replace',
    'repairs a replacement that did not match',
    'asks to analyse files and patterns by a JSON schema',
    (c) =>
      intent(c, 'other') &&
      c.initiator === 'agent' &&
      /analy[sz]\w{0,4} files? and (search )?patterns?/i.test(c.system),
  ),
  kind(
    'terminal.quickfix',
    'proposes a command after a failure',
    'JSON of command, description, relevance',
    (c) =>
      intent(c, 'other') &&
      c.initiator !== 'user' &&
      c.tools.length === 0 &&
      ['JSON', 'command', 'relevance'].every((word) => c.system.includes(word) || c.lastUser.includes(word)),
  ),
  kind(
    'rename',
    'proposes names for a symbol',
    'intent other by the user, at least four names as JSON',
    (c) =>
      intent(c, 'other') &&
      c.initiator === 'user' &&
      c.tools.length === 0 &&
      /\bnames?\b/i.test(c.system) &&
      /JSON/.test(c.system + c.lastUser),
  ),
  kind(
    'search.panel',
    'ranks search results',
    'codebase expert',
    (c) => intent(c, 'other') && /codebase/i.test(c.system) && hasTag(c.lastUser, '(chunk|file|match)'),
  ),
  kind(
    'search.keywords',
    'finds search words',
    'codebase, symbols or keywords',
    (c) => intent(c, 'other') && /codebase/i.test(c.system) && /symbols?|keywords?/i.test(c.system),
  ),
  kind(
    'tests',
    'writes or repairs tests',
    'tags testsFile, relatedTest, relatedSource or testFailure without tools',
    (c) =>
      c.tools.length === 0 &&
      ['testsFile', 'relatedTest', 'relatedSource', 'testFailure'].some((tag) => hasTag(c.lastUser, tag)),
  ),
  kind(
    'tool_args',
    'fills in the arguments of one tool',
    'one tool, forced',
    (c) => c.tools.length === 1 && c.forcedTool !== '',
  ),
  kind(
    'inline.chat',
    'inline chat',
    'intent conversation-inline with tools',
    (c) => intent(c, 'inline') && c.tools.length > 0,
  ),
  kind(
    'inline.edit_text',
    'inline chat without tools',
    'intent conversation-inline with a prediction',
    (c) => intent(c, 'inline') && 'prediction' in c.parameters,
  ),
  kind('inline.chat', 'inline chat', 'intent conversation-inline', (c) => intent(c, 'inline')),
  kind('notebook', 'notebook chat', 'intent conversation-notebook', (c) => intent(c, 'notebook')),
  kind('terminal', 'terminal chat', 'intent conversation-terminal', (c) => intent(c, 'terminal')),
  kind(
    'agent.cli',
    'Copilot CLI session',
    'two tools that only Copilot CLI offers',
    (c) => CLI_TOOLS.filter((name) => c.tools.includes(name)).length >= 2,
  ),
  kind(
    'agent.round',
    'next round of an agent turn',
    'agent surface, last message is a tool result, or an answer to be gone on with',
    (c) =>
      (c.lastRole === 'tool' && (intent(c, 'agent') || (c.intent === '' && c.tools.length > 0))) ||
      (c.lastRole === 'assistant' && intent(c, 'agent')),
  ),
  kind(
    'agent.turn',
    'first round of an agent turn',
    "agent surface, last message is the user's",
    (c) => isAgentic(c) && c.lastRole === 'user',
  ),
  kind(
    'codebase.agent',
    'searches the codebase with tools',
    'panel, agent, temperature 0, only search tools',
    (c) => intent(c, 'panel') && c.initiator === 'agent' && c.parameters['temperature'] === 0 && only(c, SEARCH_TOOLS),
  ),
  kind(
    'edit.turn',
    'edit session',
    'panel or edits surface, edit tools without read-only tools',
    (c) =>
      intent(c, 'edits', 'panel') && c.tools.includes('insert_edit_into_file') && !c.tools.includes('semantic_search'),
  ),
  kind(
    'helper',
    'helper of a chat participant: workspace, tests, debug, notebook plan, …',
    'background interaction, or no tools and started by the client',
    (c) =>
      c.interactionType === 'conversation-background' ||
      (intent(c, 'panel', 'other') && c.initiator === 'agent' && c.tools.length === 0 && !hasTag(c.lastUser, 'prompt')),
  ),
  kind(
    'ask.turn',
    'ask session',
    'intent conversation-panel or conversation-edits',
    (c) =>
      intent(c, 'panel', 'edits') && (c.initiator === 'user' || c.tools.length > 0 || hasTag(c.lastUser, 'prompt')),
  ),
];

/** Kinds that follow from the class alone. */
export const KIND_BY_CLASS: Readonly<Record<string, { readonly kind: string; readonly about: string }>> = {
  nes: { kind: 'nes', about: 'next edit suggestion' },
  'nes.cursor': { kind: 'nes.cursor', about: 'next cursor position' },
  'apply.instant': { kind: 'apply.instant', about: 'applies an edit to a file' },
  'search.agentic': { kind: 'agent.search_subagent', about: 'subagent that searches' },
  'review.agent': { kind: 'review.agent', about: 'code review agent' },
  'router.intent': { kind: 'router', about: 'router of Auto mode' },
  'models.auto': { kind: 'router', about: 'router of Auto mode' },
};

export interface KindFound {
  readonly kind: string;
  readonly evidence: string;
}

/** Kinds that a rule of the user's own may name. */
export const KIND_NAMES: readonly string[] = [
  ...new Set([...KINDS, ...Object.values(KIND_BY_CLASS)].map((row) => row.kind)),
].sort();

/** In the place of a kind: whatever prompt and headers tell. */
export const KIND_BY_PROMPT = 'by-prompt';

/**
 * The kind of a call, or undefined when nothing tells. `request` is absent for calls that are not LLM calls. A rule that names
 * the kind wins.
 */
export function kindOf(
  view: CallView,
  naming: { readonly class: string; readonly kind?: string },
  request: LlmRequest | undefined,
): KindFound | undefined {
  const { class: callClass, kind: named } = naming;
  if (named !== undefined && named !== KIND_BY_PROMPT)
    return { kind: named, evidence: `kind ${named}: by the same rule` };
  const fixed = Object.hasOwn(KIND_BY_CLASS, callClass) ? KIND_BY_CLASS[callClass] : undefined;
  if (fixed !== undefined) return { kind: fixed.kind, evidence: `kind ${fixed.kind}: by class` };
  if (request === undefined || (named === undefined && !CHAT_CLASSES.has(callClass))) return undefined;
  const chat = chatViewOf(view, callClass, request);
  const found = KINDS.find((row) => row.holds(chat));
  return found === undefined ? undefined : { kind: found.kind, evidence: `kind ${found.kind}: ${found.says}` };
}

function kind(name: string, about: string, says: string, holds: (chat: ChatView) => boolean): KindRule {
  return { kind: name, about, says, holds };
}
