// To-do lists of an agent over time: `manage_todo_list` sends the whole list every time, `update_todo` of Copilot CLI sends
// check boxes in Markdown.

import { listOf, numberOrNone, objectOf, readJson, textOf } from '../dialects/index.ts';
import type { ToolUse, Turn } from './conversation.ts';

export type TodoState = 'not-started' | 'in-progress' | 'completed';

export interface TodoItem {
  readonly title: string;
  readonly state: TodoState;
}

export interface TodoList {
  /** Number of the round in its turn, from 1. */
  readonly round: number;
  readonly toolCallId: string;
  readonly items: readonly TodoItem[];
}

/** Items of one list and their length: what a person would still call a list. */
const MAX_ITEMS = 200;
const MAX_TITLE_CHARS = 300;

/** Every state of the list during the turn, in order. */
export const todosOf = (turn: Turn): TodoList[] =>
  turn.rounds.flatMap(({ tools }, at) =>
    tools.flatMap((tool) => {
      const items = todoItemsOf(tool);
      return items === undefined ? [] : [{ round: at + 1, toolCallId: tool.id, items }];
    }),
  );

/** The list that a tool call sets; undefined when it sets none. */
export function todoItemsOf({ name, arguments: { text } }: ToolUse): readonly TodoItem[] | undefined {
  const json = objectOf(readJson(text).value);
  if (name === 'manage_todo_list') return Array.isArray(json['todoList']) ? sorted(json['todoList']) : undefined;
  if (name === 'TodoWrite') return Array.isArray(json['todos']) ? sorted(json['todos']) : undefined;
  if (name === 'update_todo') return checkBoxes(textOf(json['todos']));
  return undefined;
}

function sorted(list: unknown): readonly TodoItem[] {
  const items = listOf(list).slice(0, MAX_ITEMS).map(objectOf);
  const byId = items.every((item) => numberOrNone(item['id']) !== undefined);
  const ordered = byId ? items.toSorted((a, b) => Number(a['id']) - Number(b['id'])) : items;
  return ordered.map((item) => ({
    title: (textOf(item['title']) || textOf(item['content'])).slice(0, MAX_TITLE_CHARS),
    state: stateOf(textOf(item['status'])),
  }));
}

const stateOf = (word: string): TodoState => {
  const plain = word.replace('_', '-');
  return plain === 'completed' || plain === 'in-progress' ? plain : 'not-started';
};

const MARKS: Readonly<Record<string, TodoState>> = {
  ' ': 'not-started',
  '-': 'in-progress',
  x: 'completed',
  X: 'completed',
};

/** `- [x] title` lines. */
function checkBoxes(text: string): readonly TodoItem[] | undefined {
  const items = [...text.matchAll(/^\s*[-*] \[([ xX-])\] (.{1,300})/gm)].slice(0, MAX_ITEMS);
  if (items.length === 0) return undefined;
  return items.map(([, mark = ' ', title = '']) => ({ title: title.trim(), state: MARKS[mark] ?? 'not-started' }));
}

/** What changed from one list to the next, in words: `done: a; started: b; new: c`. Empty when nothing did. */
export function todoChanges(before: readonly TodoItem[] | undefined, now: readonly TodoItem[]): string[] {
  const known = new Map(before?.map(({ title, state }) => [title, state]));
  const words: Readonly<Record<TodoState, string>> = {
    completed: 'done',
    'in-progress': 'started',
    'not-started': 'reopened',
  };
  const changed = now
    .filter(({ title, state }) => known.has(title) && known.get(title) !== state)
    .map(({ title, state }) => `${words[state]}: ${title}`);
  const added =
    before === undefined ? [] : now.filter(({ title }) => !known.has(title)).map(({ title }) => `new: ${title}`);
  const titles = new Set(now.map(({ title }) => title));
  const gone = (before ?? []).filter(({ title }) => !titles.has(title)).map(({ title }) => `gone: ${title}`);
  return [...changed, ...added, ...gone];
}
