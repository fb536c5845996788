import { expect, it } from 'vitest';
import { todoChanges, todoItemsOf, todosOf } from '../../src/insight/todo.ts';
import { turn, use } from './turns.ts';

const list = (...states: string[]) =>
  use('manage_todo_list', { todoList: states.map((status, at) => ({ id: at + 1, title: `step ${at + 1}`, status })) });

it('gives every state of the list with the round in which it was set', () => {
  const states = todosOf(
    turn([list('in-progress', 'not-started')], [use('read_file', {})], [list('completed', 'in-progress')]),
  );
  expect(states.map(({ round, items }) => [round, items.map(({ state }) => state)])).toEqual([
    [1, ['in-progress', 'not-started']],
    [3, ['completed', 'in-progress']],
  ]);
});

it('orders items by their number and takes unknown states for not started', () => {
  const todoList = [
    { id: 2, title: 'b', status: 'blocked' },
    { id: 1, title: 'a', status: 'completed' },
  ];
  expect(todoItemsOf(use('manage_todo_list', { todoList }))).toEqual([
    { title: 'a', state: 'completed' },
    { title: 'b', state: 'not-started' },
  ]);
});

it('reads the lists of other agents: check boxes, and Claude’s', () => {
  expect(todoItemsOf(use('update_todo', { todos: '- [x] a\n- [-] b\n- [ ] c\nno item' }))).toEqual([
    { title: 'a', state: 'completed' },
    { title: 'b', state: 'in-progress' },
    { title: 'c', state: 'not-started' },
  ]);
  expect(todoItemsOf(use('TodoWrite', { todos: [{ content: 'a', status: 'in_progress' }] }))).toEqual([
    { title: 'a', state: 'in-progress' },
  ]);
});

it('keeps what is readable of cut arguments and leaves other tools alone', () => {
  expect(
    todoItemsOf(use('manage_todo_list', '{"todoList":[{"id":1,"title":"a","status":"completed"},{"id":2,"ti')),
  ).toMatchObject([{ title: 'a' }, { title: '' }]);
  expect(todoItemsOf(use('manage_todo_list', '{"operation":"read"}'))).toBeUndefined();
  expect(todoItemsOf(use('read_file', {}))).toBeUndefined();
});

it('says in words what changed', () => {
  const before = [
    { title: 'a', state: 'in-progress' },
    { title: 'b', state: 'not-started' },
    { title: 'x', state: 'not-started' },
  ] as const;
  const now = [
    { title: 'a', state: 'completed' },
    { title: 'b', state: 'in-progress' },
    { title: 'c', state: 'not-started' },
  ] as const;
  expect(todoChanges(before, now)).toEqual(['done: a', 'started: b', 'new: c', 'gone: x']);
  expect(todoChanges(now, before.slice(0, 1))).toContain('started: a');
  expect(todoChanges(undefined, now)).toEqual([]);
});
