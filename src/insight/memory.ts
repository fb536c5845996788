// What an agent reads from and writes to its memory: the `memory` tool (commands on files below /memories/), and
// `store_memory` of Copilot CLI.

import { objectOf, readJson, textOf } from '../dialects/index.ts';
import type { ToolUse, Turn } from './conversation.ts';

export interface MemoryUse {
  /** Number of the round in its turn, from 1. */
  readonly round: number;
  readonly toolCallId: string;
  readonly act: 'read' | 'write' | 'delete';
  /** `view`, `create`, `str_replace`, … as sent. */
  readonly command: string;
  /** For whom it is kept. */
  readonly scope: 'user' | 'session' | 'repository';
  readonly path: string;
  /** What was written; of a read, what came back. */
  readonly text: string;
}

const MAX_TEXT_CHARS = 2000;
const MAX_PATH_CHARS = 300;

export const memoriesOf = (turn: Turn): MemoryUse[] =>
  turn.rounds.flatMap(({ tools }, at) =>
    tools.flatMap((tool) => {
      const use = memoryUseOf(tool);
      return use === undefined ? [] : [{ round: at + 1, toolCallId: tool.id, ...use }];
    }),
  );

/** Undefined when the tool does not touch the memory. */
export function memoryUseOf(tool: ToolUse): Omit<MemoryUse, 'round' | 'toolCallId'> | undefined {
  const json = objectOf(readJson(tool.arguments.text).value);
  if (tool.name === 'store_memory') {
    const text = textOf(json['fact']).slice(0, MAX_TEXT_CHARS);
    return {
      act: 'write',
      command: 'store',
      scope: 'repository',
      path: textOf(json['subject']).slice(0, MAX_PATH_CHARS),
      text,
    };
  }
  if (tool.name !== 'memory') return undefined;
  const command = textOf(json['command']);
  const path = (textOf(json['path']) || textOf(json['old_path'])).slice(0, MAX_PATH_CHARS);
  const act = command === 'view' ? 'read' : command === 'delete' ? 'delete' : 'write';
  const text = act === 'read' ? (tool.result?.text ?? '') : writtenText(json);
  return { act, command, scope: scopeOf(path), path, text: text.slice(0, MAX_TEXT_CHARS) };
}

const writtenText = (json: Readonly<Record<string, unknown>>): string =>
  textOf(json['file_text']) || textOf(json['new_str']) || textOf(json['insert_text']) || textOf(json['new_path']);

function scopeOf(path: string): MemoryUse['scope'] {
  if (path.startsWith('/memories/session')) return 'session';
  return path.startsWith('/memories/repo') ? 'repository' : 'user';
}
