import { expect, it } from 'vitest';
import { memoriesOf } from '../../src/insight/memory.ts';
import { turn, use } from './turns.ts';

it('tells reads, writes and deletions with scope and text', () => {
  const uses = memoriesOf(
    turn(
      [use('memory', { command: 'view', path: '/memories/repo/a.md' }, 'what it says')],
      [
        use('memory', { command: 'create', path: '/memories/b.md', file_text: 'new' }),
        use('memory', { command: 'str_replace', path: '/memories/session/c.md', old_str: 'a', new_str: 'b' }),
        use('memory', { command: 'rename', old_path: '/memories/d.md', new_path: '/memories/e.md' }),
        use('memory', { command: 'delete', path: '/memories/b.md' }),
        use('store_memory', { subject: 'style', fact: 'tabs' }),
        use('read_file', { path: '/memories/x' }),
      ],
    ),
  );
  expect(uses.map(({ round, act, command, scope, path, text }) => [round, act, command, scope, path, text])).toEqual([
    [1, 'read', 'view', 'repository', '/memories/repo/a.md', 'what it says'],
    [2, 'write', 'create', 'user', '/memories/b.md', 'new'],
    [2, 'write', 'str_replace', 'session', '/memories/session/c.md', 'b'],
    [2, 'write', 'rename', 'user', '/memories/d.md', '/memories/e.md'],
    [2, 'delete', 'delete', 'user', '/memories/b.md', ''],
    [2, 'write', 'store', 'repository', 'style', 'tabs'],
  ]);
});
